// Package fault is the failure that an answer's envelope tells: HTTP 200, a
// result code, and words for people. Package plain has the
// failures outside the envelope.
package fault

import (
	"errors"
	"fmt"
	"syscall"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// Fault is a failure of an operation.
type Fault struct {
	Code    remote.Code
	Message string
	Data    func(x *answer.Writer) // children of data; nil for none
}

func (f *Fault) Error() string { return string(f.Code) + ": " + f.Message }

// Refuse makes a fault.
func Refuse(code remote.Code, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalid is the fault of a malformed or unsuitable parameter value.
func Invalid(format string, args ...any) *Fault { return Refuse(remote.Failure, format, args...) }

// Full is the ERROR of a service that has no room. What is full stands in data,
// for clients that know the element.
func Full(what remote.Full, format string, args ...any) *Fault {
	f := Invalid(format, args...)
	f.Data = func(x *answer.Writer) { x.Empty("full", answer.String("what", string(what))) }
	return f
}

// From makes a fault of any error of a handler. The caller learns nothing of
// what went wrong inside: that is for the log.
func From(err error, request fmt.Stringer) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	if errors.Is(err, store.ErrNoSpace) || errors.Is(err, syscall.ENOSPC) {
		return Full(remote.FullDisk, "The service has no space left for this: its disk is full.")
	}
	return Invalid("The service failed; see request %v in its log.", request)
}
