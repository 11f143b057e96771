// Package doctor finds out what keeps a mount or the service from working. It prints one
// line for each thing that it checks, and what to do about a problem.
//
// A [Check] examines one thing, or several that depend on each other, and returns
// [Finding]s; [Run] runs checks. Each file has one group of checks. A check gets what it
// examines as a value or a function, so that a test can simulate each failure.
//
//   - Checks write and change nothing: they judge directories by what the kernel says, and
//     read databases in place or in a copy.
//   - The service gets one request, and a second one if that has no answer (see [Service]). That of a mount gets one from the mount.
//   - A check has a time limit. A check that exceeds it is abandoned, because it may wait
//     for a network disk that does not answer.
//
// Checks run one after the other. An abandoned check shares nothing with the checks after
// it, so there are no locks.
package doctor
