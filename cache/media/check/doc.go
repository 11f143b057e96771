// Package check finds inconsistencies between the memory, rows and files of a media store, both
// while it is in use and while it is closed. It changes nothing and takes no locks: the caller
// holds those of the arguments.
package check
