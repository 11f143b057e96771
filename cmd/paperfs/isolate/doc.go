// Package isolate runs commands that access a mount in a process of their own, which the
// command abandons if the mount never answers. See [Command] and [Run].
package isolate
