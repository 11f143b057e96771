// Package caller inspects the program that waits for an answer from the mount, through
// /proc and pidfds.
//
// [Wait] and [WaitReading] wait for a result, or until a signal ends the caller. [CloseOf]
// returns why a FLUSH came, as a [Closing]. A [Program] is a watched process: its Fate says
// how it ended, and Holds whether it can write to a [File].
//
//   - If a process cannot be inspected (in another PID namespace, or hidden in /proc), the
//     package does not guess: its call waits to the end, and its close is an ordinary one.
//   - The package never waits for the caller. Reading stat, exe and wchan may block on an
//     exec that itself waits for the mount. Of these, the package reads only stat, in a
//     goroutine that it abandons if an exec blocks it; the goroutine ends with the exec.
//   - When a process has ended, another may get its number. So whatever watches a process
//     for longer than a request uses a pidfd.
//
// watchedMu, which counts who watches a process, is a leaf. The caller waits for the answer to its FLUSH, so it does not change
// while the package inspects it.
package caller
