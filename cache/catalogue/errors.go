package catalogue

import (
	"errors"
	"fmt"

	"paperfs/remote"
)

// Reasons why a call failed here. An error that came from the service wraps a
// *remote.Error besides.
var (
	ErrNotFound = errors.New("no such category or paper")
	ErrTaken    = errors.New("the address or name is taken")
	// ErrByOthers comes with ErrTaken where somebody else has made the very node that
	// Create was asked for. Where the answer to a call was lost, nobody knows who has.
	ErrByOthers      = errors.New("somebody else has made it")
	ErrNotEmpty      = errors.New("the category is not empty")
	ErrIsRoot        = errors.New("the root of the tree cannot be changed")
	ErrOwnDescendant = errors.New("a category cannot be moved into itself or below itself")
)

var errPaperRoot = errors.New("the root of the tree is a paper: --root-url or --root-id must name a category")

// ErrInvalid says that an argument is wrong; the service was not asked.
type ErrInvalid struct{ Reason string }

func (e ErrInvalid) Error() string { return e.Reason }

func invalid(format string, arguments ...any) error {
	return ErrInvalid{Reason: fmt.Sprintf(format, arguments...)}
}

// broken is the error for an answer that is no tree.
func broken(format string, arguments ...any) error {
	return &remote.Error{Op: remote.GetAllPapers.Name, Kind: remote.Broken, Message: fmt.Sprintf(format, arguments...)}
}

func hasCode(err error, code remote.Code) bool {
	var failure *remote.Error
	return errors.As(err, &failure) && failure.Kind == remote.Refused && failure.Code == code
}

// mayMeanTaken reports whether the service refused with ERROR, or with a code that
// may replace it one day (contract, 2.4). That is how it says that an address is taken.
func mayMeanTaken(err error) bool {
	var failure *remote.Error
	if !errors.As(err, &failure) || failure.Kind != remote.Refused || failure.Full != "" {
		return false
	}
	switch failure.Code {
	case remote.ReadOnly, remote.LoginSecurityViolation, remote.PaperDoesNotExist, remote.PaperMustNotBeCategory:
		return false
	}
	return true
}

func interrupted(operation *remote.Operation, err error) error {
	return &remote.Error{Op: operation.Name, Kind: remote.Cancelled, Err: err}
}
