package catalogue

import (
	"errors"
	"fmt"

	"paperfs/remote"
)

// Reasons why a call failed here. An error that came from the service wraps a
// *remote.Error besides.
var (
	ErrNotFound      = errors.New("no such category or paper")
	ErrTaken         = errors.New("the address or name is taken")
	ErrNotEmpty      = errors.New("the category is not empty")
	ErrIsRoot        = errors.New("the root of the tree cannot be changed")
	ErrOwnDescendant = errors.New("a category cannot be moved into itself or below itself")
)

// ErrInvalid says that an argument cannot be right, whatever the service says.
type ErrInvalid struct{ Reason string }

func (e ErrInvalid) Error() string { return e.Reason }

func invalid(format string, arguments ...any) error {
	return ErrInvalid{Reason: fmt.Sprintf(format, arguments...)}
}

// broken is the failure for a tree that cannot be one.
func broken(format string, arguments ...any) error {
	return &remote.Error{Op: remote.GetAllPapers.Name, Kind: remote.Broken, Message: fmt.Sprintf(format, arguments...)}
}

func hasCode(err error, code remote.Code) bool {
	var failure *remote.Error
	return errors.As(err, &failure) && failure.Kind == remote.Refused && failure.Code == code
}

func interrupted(operation *remote.Operation, err error) error {
	return &remote.Error{Op: operation.Name, Kind: remote.Cancelled, Err: err}
}
