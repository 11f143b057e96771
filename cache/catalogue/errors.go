package catalogue

import (
	"errors"
	"fmt"

	"paperfs/remote"
)

// Reasons why the catalogue rejects a call. If the service rejected it, the error also
// wraps a *remote.Error.
var (
	ErrNotFound = errors.New("no such category or paper")
	ErrTaken    = errors.New("the address or name is taken")
	// ErrByOthers accompanies ErrTaken if somebody else has created the very node that
	// Create was called for. It is absent if the answer to the call was lost, because then
	// the node may be our own.
	ErrByOthers      = errors.New("somebody else has created it")
	ErrNotEmpty      = errors.New("the category is not empty")
	ErrIsRoot        = errors.New("the root of the tree cannot be changed")
	ErrChanged       = errors.New("somebody else has changed it")
	ErrOwnDescendant = errors.New("a category cannot be moved into itself or below itself")
)

var errPaperRoot = errors.New("the root of the tree is a paper: --root-url or --root-id must name a category")

// ErrInvalid reports an invalid argument; no request was sent.
type ErrInvalid struct{ Reason string }

func (e ErrInvalid) Error() string { return e.Reason }

func invalid(format string, arguments ...any) error {
	return ErrInvalid{Reason: fmt.Sprintf(format, arguments...)}
}

// broken returns the error for an answer that is not a valid tree.
func broken(format string, arguments ...any) error {
	return &remote.Error{Op: remote.GetAllPapers.Name, Kind: remote.Broken, Message: fmt.Sprintf(format, arguments...)}
}

func hasCode(err error, code remote.Code) bool {
	var failure *remote.Error
	return errors.As(err, &failure) && failure.Kind == remote.Refused && failure.Code == code
}

// mayMeanTaken reports whether the service refused with ERROR, which is how it says that
// an address is taken, or with a code that may replace ERROR one day (contract, 2.4).
func mayMeanTaken(err error) bool {
	var failure *remote.Error
	if !errors.As(err, &failure) || failure.Kind != remote.Refused || failure.Full != "" {
		return false
	}
	switch failure.Code {
	case remote.ReadOnly, remote.LoginSecurityViolation, remote.PaperDoesNotExist, remote.PaperMustNotBeCategory, remote.VersionConflict:
		return false
	}
	return true
}

func interrupted(operation *remote.Operation, err error) error {
	return &remote.Error{Op: operation.Name, Kind: remote.Cancelled, Err: err}
}
