package service

import "paperfs/remote"

// full is the ERROR of a service that has no room. What is full stands in data,
// for clients that know the element.
func full(what remote.Full, format string, args ...any) *fault {
	f := invalid(format, args...)
	f.data = func(x *xmlWriter) { x.Empty("full", a("what", string(what))) }
	return f
}
