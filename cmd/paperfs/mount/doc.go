// Package mount is paperfs mount and paperfs umount.
//
// NewCommand checks the configuration, opens the account (its state, the embedded
// service, the client and the caches, each of which is closed in reverse), mounts,
// and serves the mount until it is unmounted. With --daemon, the command starts
// itself again in a process that stays.
package mount
