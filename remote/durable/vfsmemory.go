package durable

import "unsafe"

// The driver's SQLite is C translated to Go: the addresses of its structures are numbers,
// and it calls Go functions by their addresses.

// at returns the value at an address of SQLite.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// function returns the function at an address.
func function[F any](address uintptr) F {
	return *(*F)(unsafe.Pointer(&struct{ uintptr }{address}))
}

// pointer returns the address of a function that is not a closure: the garbage collector
// does not know the address.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }
