package errno

import (
	"context"
	"errors"
	"syscall"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/remote"
)

// Refusal is a failure that the mount decides itself, before it sends a
// request.
type Refusal struct {
	Errno  syscall.Errno
	Reason string // what is wrong and what to do, for the user
	Again  bool   // the same is recorded already, for another path
}

func (r *Refusal) Error() string { return r.Reason }

// Refuse returns a Refusal.
func Refuse(errno syscall.Errno, reason string) error { return &Refusal{Errno: errno, Reason: reason} }

// onto is the failure of a rename, with the path that was to be the new one.
type onto struct {
	error
	to string
}

func (o *onto) Unwrap() error { return o.error }

// Onto adds to the failure of a rename the path that was to be the new one, where users may ask for it.
func Onto(to string, err error) error {
	if err == nil {
		return nil
	}
	return &onto{err, to}
}

// Of returns the errno for a failure: EIO if the table does not have it, and never ENOSYS,
// which the kernel takes as "has no such operation".
func Of(err error) syscall.Errno {
	if err == nil {
		return 0
	}
	if _, ok := errors.AsType[*onto](err); ok && errors.Is(err, catalogue.ErrTaken) {
		return syscall.EADDRINUSE // at EEXIST, mv says that a file is there, and none is
	}
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r.Errno
	}
	if me, ok := errors.AsType[*media.Error](err); ok {
		if en, ok := mediaKinds[me.Kind]; ok {
			return en
		}
		return syscall.EIO
	}
	if _, ok := errors.AsType[catalogue.ErrInvalid](err); ok {
		return syscall.EINVAL
	}
	for _, row := range local {
		if errors.Is(err, row.err) {
			return row.errno
		}
	}
	if re, ok := errors.AsType[*remote.Error](err); ok {
		return ofRemote(re)
	}
	if en, ok := errors.AsType[syscall.Errno](err); ok && en != syscall.ENOSYS && en != syscall.EAGAIN {
		return en
	}
	return syscall.EIO
}

func ofRemote(err *remote.Error) syscall.Errno {
	if err.Kind == remote.Refused {
		if en, ok := fulls[err.Full]; ok {
			return en
		}
		if en, ok := codes[err.Code]; ok {
			return en
		}
		return syscall.EIO
	}
	if err.Kind == remote.Status && (err.Status == 401 || err.Status == 403) { // from a gateway in front of the service
		return syscall.EACCES
	}
	if en, ok := kinds[err.Kind]; ok {
		return en
	}
	return syscall.EIO
}

// local has failures of the layers below that are not answers of the service.
var local = []struct {
	err   error
	errno syscall.Errno
}{
	{context.Canceled, syscall.EINTR},
	{context.DeadlineExceeded, syscall.ETIMEDOUT},
	{syscall.EMFILE, syscall.ENFILE}, // of the mount, whereas EMFILE would accuse the program
	{catalogue.ErrNotFound, syscall.ENOENT},
	{catalogue.ErrTaken, syscall.EEXIST},
	{catalogue.ErrChanged, syscall.EBUSY},
	{catalogue.ErrNotEmpty, syscall.ENOTEMPTY},
	{catalogue.ErrIsRoot, syscall.EPERM},
	{catalogue.ErrOwnDescendant, syscall.EINVAL},
	{document.ErrUnknownName, syscall.ENOENT},
	{document.ErrUnknownJob, syscall.ENOENT},
	{document.ErrUnknownPage, syscall.ENOENT},
	{document.ErrNoImage, syscall.ENOENT},
	{document.ErrInvalid, syscall.EINVAL},
}

var mediaKinds = map[media.Kind]syscall.Errno{
	media.Invalid:      syscall.EINVAL,
	media.TooLong:      syscall.ENAMETOOLONG,
	media.Exists:       syscall.EEXIST,
	media.NotFound:     syscall.ENOENT,
	media.NotDirectory: syscall.ENOTDIR,
	media.IsDirectory:  syscall.EISDIR,
	media.NotEmpty:     syscall.ENOTEMPTY,
	media.Forbidden:    syscall.EPERM,
	media.LocalOnly:    syscall.EPERM,
	media.Unsupported:  syscall.EOPNOTSUPP,
	media.OtherDevice:  syscall.EXDEV,
	media.NoContent:    syscall.EOPNOTSUPP,
	media.Full:         syscall.ENOSPC,
	media.OverQuota:    syscall.EDQUOT,
	media.TooBig:       syscall.EFBIG,
	media.Stale:        syscall.ESTALE,
	media.Superseded:   syscall.ESTALE,
	media.Newer:        syscall.EBUSY,
	media.Damaged:      syscall.EIO,
}

// fulls maps errors of a service that says what is full.
var fulls = map[remote.Full]syscall.Errno{
	remote.FullDisk:  syscall.ENOSPC,
	remote.FullQuota: syscall.EDQUOT,
}

var codes = map[remote.Code]syscall.Errno{
	remote.LoginSecurityViolation: syscall.EACCES,
	remote.PaperDoesNotExist:      syscall.ENOENT,
	remote.FieldDoesNotExist:      syscall.ENOENT,
	remote.ReadOnly:               syscall.EROFS,
	remote.PaperMustNotBeCategory: syscall.EISDIR,
	remote.VersionConflict:        syscall.EBUSY,

	remote.UnsupportedCheckoutType: syscall.EINVAL,
	remote.SearchNoCriteria:        syscall.EINVAL,
	remote.SearchNoWildcards:       syscall.EINVAL,
	remote.InvalidBase64PDF:        syscall.EINVAL,
	remote.InvalidDataFormat:       syscall.EINVAL,
	remote.InvalidDataType:         syscall.EINVAL,
	remote.InvalidFieldName:        syscall.EINVAL,
	remote.FieldNameIsNotUnique:    syscall.EEXIST,

	remote.LicenseForbidsProcessing:     syscall.EDQUOT,
	remote.AlreadyBeingProcessed:        syscall.EBUSY,
	remote.SearchTemporarilyUnavailable: syscall.EBUSY,
}

var kinds = map[remote.Kind]syscall.Errno{
	remote.NotOffered:  syscall.EOPNOTSUPP,
	remote.TooLarge:    syscall.EFBIG,
	remote.Throttled:   syscall.EBUSY,
	remote.OverBudget:  syscall.EBUSY,
	remote.Unreachable: syscall.EHOSTDOWN,
	remote.Stalled:     syscall.ETIMEDOUT,
	remote.Cancelled:   syscall.EINTR,
	remote.Local:       syscall.EIO,
	remote.Elsewhere:   syscall.EOPNOTSUPP,
	remote.Superseded:  syscall.ESTALE,
}
