// Package serving finds the process that serves a mount, reports whether it is alive, and
// frees the mount and the account that a killed process left. See [Of], [End] and [TakeState].
//
// A mount may not answer. A command that accesses one does so in a process of its own, which it
// abandons if no answer comes. See [Isolated] and [RunInside].
package serving
