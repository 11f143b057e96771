package document

import "errors"

// The failures that are found out without the service, or that say more than
// its answer. Match them with errors.Is.
var (
	// ErrUnknownName: no setting or custom field of that name is in the
	// service's list. Nothing was sent.
	ErrUnknownName = errors.New("the service has no setting or field of this name")
	// ErrUnknownJob: the name is no GUID (nothing was sent), or the service
	// answered ERROR for one.
	ErrUnknownJob = errors.New("the service knows no such job")
	// ErrUnknownPage: the paper has no page of that number.
	ErrUnknownPage = errors.New("the paper has no page of this number")
	// ErrInvalid: a value that the service would refuse (nothing was sent), or that it
	// refused for its form.
	ErrInvalid = errors.New("invalid value")
)
