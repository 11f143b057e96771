package service

import (
	"errors"
	"fmt"
	"syscall"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// fault is a failure that the envelope tells: HTTP 200, a result code, and
// words for people.
type fault struct {
	code    remote.Code
	message string
	data    func(x *answer.Writer) // children of data; nil for none
}

func (f *fault) Error() string { return string(f.code) + ": " + f.message }

func refuse(code remote.Code, format string, args ...any) *fault {
	return &fault{code: code, message: fmt.Sprintf(format, args...)}
}

// invalid is the fault of a malformed or unsuitable parameter value.
func invalid(format string, args ...any) *fault { return refuse(remote.Failure, format, args...) }

// toFault gives any error of a handler the form in which the caller hears of
// it. What went wrong inside is not told: it is for the log.
func toFault(err error, request uint64) *fault {
	var f *fault
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, store.ErrNoSpace), errors.Is(err, syscall.ENOSPC):
		return full(remote.FullDisk, "The service has no space left for this: its disk is full.")
	}
	return invalid("The service failed; its log tells more under request %d.", request)
}
