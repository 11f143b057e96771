// Package fault is how the service says no.
//
// A [Fault] is the failure that an answer's envelope reports: HTTP 200, a result code, and a
// message for people. Answers outside the envelope are plain text: for missing pages ([NotFound]),
// for failures before an operation is determined ([Failure]), and for methods that an address does
// not allow ([MayRead]). They are JSON where the answer was to be JSON.
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
	Data    func(w *answer.Writer) // children of data; nil for none
}

func (f *Fault) Error() string { return string(f.Code) + ": " + f.Message }

// Refuse returns a fault.
func Refuse(code remote.Code, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalid returns the fault for an invalid parameter value.
func Invalid(format string, args ...any) *Fault { return Refuse(remote.Failure, format, args...) }

// Full returns the ERROR of a service that has no space left. The data element says what is full,
// for clients that know it.
func Full(what remote.Full, format string, args ...any) *Fault {
	f := Invalid(format, args...)
	f.Data = func(w *answer.Writer) { w.Empty("full", answer.String("what", string(what))) }
	return f
}

// From returns a fault for any error of a handler. It does not reveal internal errors to the
// caller; those go to the log.
func From(err error, request fmt.Stringer) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	if errors.Is(err, store.ErrNoSpace) || errors.Is(err, syscall.ENOSPC) {
		return Full(remote.FullDisk, "The service has no space left for this: its disk is full.")
	}
	if errors.Is(err, store.ErrDamaged) {
		return Invalid("The service's database is damaged: its operator has to restore it.")
	}
	return Invalid("The service failed; see request %v in its log.", request)
}
