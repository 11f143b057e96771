// Package usage is what the commands share of being called: their help, flags in groups, the error of
// a wrong call, and values that are words or sizes.
package usage
