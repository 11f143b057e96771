package document

import "errors"

// Errors that are found without the service or that interpret its answer. Match them with
// errors.Is.
var (
	// ErrUnknownName: the service's list has no setting or custom field with this name. No
	// further request was sent.
	ErrUnknownName = errors.New("the service has no setting or field of this name")
	// ErrUnknownJob: the name is not a GUID (no request was sent), or the service answered
	// ERROR for it.
	ErrUnknownJob = errors.New("the service knows no such job")
	// ErrUnknownPage: the paper has no page with this number.
	ErrUnknownPage = errors.New("the paper has no page of this number")
	// ErrInvalid: the service would refuse the value (no request was sent), or it refused
	// the value's form.
	ErrInvalid = errors.New("invalid value")
)
