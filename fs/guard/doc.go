// Package guard ends the kernel's connection of a mount that was killed.
//
// A thread of the mount may wait in the kernel for what one of its own requests
// holds: where a notification takes a lock just after a request did. Once the
// mount is killed nobody answers that request, the thread keeps /dev/fuse open,
// and the kernel takes the mount for alive: a process that waits for it waits for good.
// Only the connection's abort file in fusectl ends that, and another process has
// to write it: one of the same program, which does nothing else.
//
// Connection is a mount's connection. Start starts the guard, and Run is what the
// guard's process does. Server and Dying tell which process serves a mount, and whether that
// process is about to end, for the commands that find a mount left behind.
//
//   - A connection is known by its number and its inode in fusectl, since the kernel
//     gives a number to another mount. No other mount's connection is ever ended.
//   - The mount opens the abort file and hands it to its guard, which then needs no
//     path and no right to open it.
//   - It outlives what its mount may be killed with: it has a session of its own,
//     and ignores the signals of a terminal. It ends with the thread that started it,
//     which has no other task and so lives as long as the process.
//
// There are no locks: the mount and its guard share one pipe, which tells that the
// guard is ready, and the signal by which the kernel tells of the mount's end.
package guard
