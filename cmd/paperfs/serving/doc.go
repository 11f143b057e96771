// Package serving finds the process that serves a mount, reports whether it is alive, and
// frees the mount and the account that a killed process left. See [Of], [End] and [TakeState].
package serving
