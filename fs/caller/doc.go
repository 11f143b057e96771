// Package caller looks at the program that waits for an answer of the mount,
// through /proc and pidfds.
//
// Wait and WaitReading wait for an answer until it is there, or until a signal ends
// the caller. CloseOf tells why a FLUSH came, as a Closing. A Program is a process that
// is watched: its Fate is how it ended, and Holds whether it can write to a File.
//
//   - A process that cannot be looked at (in another PID namespace, or hidden in /proc)
//     is not guessed at: the caller waits to the end, and its close is an ordinary one.
//   - Nothing here waits for the caller. Reading stat, exe and wchan may block: they wait
//     for an exec that itself waits for us. Only stat is read, in a goroutine that nobody
//     waits for if an exec blocks it. It ends with the exec.
//   - The number of a process may be given to another process once it has ended. So
//     everything that watches a process for longer than a request uses a pidfd.
//
// There are no locks. A FLUSH waits for its answer, so the caller does not change
// while it is looked at.
package caller
