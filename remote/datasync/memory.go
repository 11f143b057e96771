package datasync

import "unsafe"

// The driver's SQLite is C that was translated to Go: its structures lie at addresses that
// are numbers, and what it calls are addresses of Go's functions.

// at is what lies at an address of SQLite's.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// function is the function at an address.
func function[F any](address uintptr) F {
	return *(*F)(unsafe.Pointer(&struct{ uintptr }{address}))
}

// pointer is the address of a function that is no closure: the garbage collector does not
// know of it.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }
