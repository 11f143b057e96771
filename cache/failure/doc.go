// Package failure remembers what went wrong, for the user who asks later: one
// log line a failure, and the last failures kept in memory.
package failure
