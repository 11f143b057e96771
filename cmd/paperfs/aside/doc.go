// Package aside runs a command that looks at a mount in a process that can be left where nobody will
// ever answer.
package aside
