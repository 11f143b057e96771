// Package caller looks at the program that waits for an answer of the mount,
// through /proc. Only files that never block are read: stat, exe and wchan
// wait for an exec that itself waits for us.
package caller
