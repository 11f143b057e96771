package answer

import (
	"errors"
	"fmt"
	"syscall"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// Fault is a failure of an operation.
type Fault struct {
	Code    remote.Code
	Message string
	Data    func(w *Writer) // children of data; nil for none
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
	f.Data = func(w *Writer) { w.Empty("full", String("what", string(what))) }
	return f
}

// FaultOf returns a fault for any error of a handler. It does not reveal internal errors to the
// caller; those go to the log.
func FaultOf(err error, request fmt.Stringer) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	if errors.Is(err, store.ErrNoSpace) || errors.Is(err, syscall.ENOSPC) {
		return Full(remote.FullDisk, "The service has no space left for this: its disk is full.")
	}
	if errors.Is(err, store.ErrDamaged) {
		return Invalid("The service's database is damaged or missing: its operator has to restore it.")
	}
	return Invalid("The service failed; see request %v in its log.", request)
}
