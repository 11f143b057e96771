// Package caller looks at the program that waits for an answer of the mount,
// through /proc and pidfds.
//
// Wait and WaitReading wait for an answer until it is there, or until a signal ends
// the caller. CloseOf tells why a FLUSH came, as a Closing. A Program is a process that
// is watched: its Fate is how it ended, and Holds whether it can write to a File.
//
//   - What cannot be looked at, in another PID namespace or hidden in /proc, is not
//     guessed: the caller waits to the end, and the close is an ordinary one.
//   - Nothing here waits for the caller. stat, exe and wchan may block: they wait for
//     an exec that itself waits for us. Of these only stat is read, by a goroutine
//     that nobody waits for where an exec holds it up. It ends with the exec.
//   - A number of a process may be given to another one once it has ended. So who
//     watches for longer than a request has a pidfd.
//
// There are no locks. The kernel lets a FLUSH wait for its answer, so the caller
// stays what it is while it is looked at.
package caller
