// Package mount has the commands paperfs mount and paperfs umount.
//
// [NewCommand] checks the configuration and opens the account: its state, the embedded
// service, the client and the caches, which it closes in reverse order. Then it mounts, and
// serves the mount until it is unmounted. With --daemon, the command runs itself again in a
// background process. [NewUmountCommand] unmounts, and waits for that process.
package mount
