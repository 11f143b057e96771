// Package check finds inconsistencies in the memory of a media store while it is in use. It changes
// nothing and takes no locks: the caller holds those of the arguments.
package check
