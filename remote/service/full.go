package service

import (
	"paperfs/remote"
	"paperfs/remote/service/answer"
)

// full is the ERROR of a service that has no room. What is full stands in data,
// for clients that know the element.
func full(what remote.Full, format string, args ...any) *fault {
	f := invalid(format, args...)
	f.data = func(x *answer.Writer) { x.Empty("full", answer.String("what", string(what))) }
	return f
}
