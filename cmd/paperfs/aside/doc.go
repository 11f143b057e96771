// Package aside runs commands that access a mount in a process of their own, which the
// command abandons if the mount never answers. See [Leavable] and [Run].
package aside
