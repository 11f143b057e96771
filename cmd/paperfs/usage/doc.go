// Package usage has what the commands share for their arguments: the error for a wrong
// invocation, flags in groups, and values that are words or sizes.
package usage
