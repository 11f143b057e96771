// Package usage is what the commands share of being called: the error of a wrong call, flags in
// groups, and values that are words or sizes.
package usage
