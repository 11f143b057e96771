// Package mountpoint knows about the place a mount is at: whether one may be
// put there, which one a path lies in, which processes hold it, and how one is taken away.
//
// Nothing but Prepare, which comes before a mount, asks anything of a path
// inside a living one, so the process that serves it may use the rest.
//
// Prepare makes a Place of a path. Mount is one of the kernel's table, by At and Find.
// Holder is a process that keeps a mount busy. Ending unmounts where a signal asks for
// it. Errors are sentences for people, which name the place and the command that
// mends it.
//
//   - The kernel's table alone says what is mounted, for unmounting too: a mount that
//     is gone already is no failure.
//   - No scan of other processes is waited for without end: one that is in the
//     middle of an exec may wait for the mount itself.
//
// There are no locks. The table and /proc are read each time, and another mount at
// the same time shows in the outcome of mount(2) or umount(2).
package mountpoint
