// Package guard ends the kernel's connection of a mount that was killed.
//
// A thread of the mount may wait in the kernel for a lock that one of the mount's own
// requests holds: a notification needs that lock just after the request took it. If the
// mount is killed then, nothing answers the request, the thread keeps /dev/fuse open, and
// the kernel takes the mount for alive: programs that wait for the mount wait forever. Only
// a write to the connection's abort file in fusectl ends that, and it must come from
// another process: the guard, which runs the same program and does nothing else.
//
// A [Connection] is a mount's connection. [Start] starts the guard, and [Run] is the guard's
// process. [Server] and [Dying] return which process serves a mount, and whether that
// process is about to end, for the commands that find an abandoned mount.
//
//   - A connection is identified by its number and its inode in fusectl, since the kernel
//     reuses the number. The guard never ends another mount's connection.
//   - The mount opens the abort file and passes it to its guard, which then needs neither
//     the path nor the permission to open it.
//   - The guard survives whatever kills the mount: it has a session of its own and ignores
//     the signals of a terminal. The kernel signals it when the thread that started it
//     ends. That thread has no other task, so it lives as long as its process.
//
// There are no locks. The mount and its guard share one pipe, which says that the guard is
// ready, and the signal by which the kernel reports the end of the mount.
package guard
