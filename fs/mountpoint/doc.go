// Package mountpoint handles the place of a mount: whether a mount may go there, which
// mount contains a path, which processes keep it busy, and how to unmount it.
//
// [Prepare] returns a [Place] for a path. A [Mount] is a row of the kernel's table, from [At]
// and [Find]. A [Holder] is a process that keeps a mount busy. [Unmounter] unmounts when a
// signal asks for it. Errors are sentences for the user, which name the place and the
// command that helps.
//
// Only Prepare, which runs before a mount, accesses a path inside a live mount. The process
// that serves the mount may use the rest.
//
//   - The kernel's table alone says what is mounted, for unmounting too: if the mount no
//     longer exists, that is not a failure.
//   - Every scan of other processes has a time limit, because one in the middle of an exec
//     may wait for the mount itself.
//
// There are no locks. The package reads the table and /proc each time, and a concurrent
// mount shows in the outcome of mount(2) or umount(2).
package mountpoint
