// Package doctor looks for what keeps a mount, or the service, from working:
// one line for each thing that it looked at, and what mends it.
//
// A Check looks at one thing, or at several that depend on each other, and
// returns Findings. Each file has one group of checks; a check gets what it
// looks at as a value or a function, so that a test can show it each failure.
//
//   - Nothing is written or changed: directories are judged by what the kernel
//     says of them, and databases are read where they lie or in a copy.
//   - The service gets at most three requests (see Service).
//   - A check has a time limit, and one that does not keep it is abandoned: it
//     may look at a disk of the network that does not answer.
//
// Checks run one after the other. One that was abandoned shares nothing with
// those that follow.
package doctor
