package errno

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/remote"
)

func TestTheTable(t *testing.T) {
	code := func(c remote.Code) error { return &remote.Error{Op: "X", Kind: remote.Refused, Code: c} }
	full := func(what remote.Full) error {
		return &remote.Error{Op: "X", Kind: remote.Refused, Code: remote.Failure, Full: what}
	}
	kind := func(k remote.Kind) error { return &remote.Error{Op: "X", Kind: k} }
	for err, want := range map[error]syscall.Errno{
		code(remote.LoginSecurityViolation):                             syscall.EACCES,
		code(remote.PaperDoesNotExist):                                  syscall.ENOENT,
		code(remote.FieldDoesNotExist):                                  syscall.ENOENT,
		code(remote.ReadOnly):                                           syscall.EROFS,
		code(remote.PaperMustNotBeCategory):                             syscall.EISDIR,
		code(remote.UnsupportedCheckoutType):                            syscall.EINVAL,
		code(remote.SearchNoCriteria):                                   syscall.EINVAL,
		code(remote.SearchNoWildcards):                                  syscall.EINVAL,
		code(remote.InvalidDataFormat):                                  syscall.EINVAL,
		code(remote.InvalidBase64PDF):                                   syscall.EINVAL,
		code(remote.InvalidFieldName):                                   syscall.EINVAL,
		code(remote.InvalidDataType):                                    syscall.EINVAL,
		code(remote.FieldNameIsNotUnique):                               syscall.EEXIST,
		code(remote.LicenseForbidsProcessing):                           syscall.EDQUOT,
		code(remote.AlreadyBeingProcessed):                              syscall.EBUSY,
		code(remote.SearchTemporarilyUnavailable):                       syscall.EBUSY,
		code(remote.Failure):                                            syscall.EIO,
		code("CLIENT_UNKNOWN"):                                          syscall.EIO,
		full(remote.FullDisk):                                           syscall.ENOSPC,
		full(remote.FullQuota):                                          syscall.EDQUOT,
		kind(remote.NotOffered):                                         syscall.EOPNOTSUPP,
		kind(remote.TooLarge):                                           syscall.EFBIG,
		kind(remote.Throttled):                                          syscall.EBUSY,
		kind(remote.OverBudget):                                         syscall.EBUSY,
		kind(remote.Unreachable):                                        syscall.EHOSTDOWN,
		kind(remote.Stalled):                                            syscall.ETIMEDOUT,
		kind(remote.Broken):                                             syscall.EIO,
		kind(remote.Status):                                             syscall.EIO,
		kind(remote.Local):                                              syscall.EIO,
		&remote.Error{Op: "X", Kind: remote.Local, Err: syscall.EMFILE}: syscall.ENFILE,
		kind(remote.Elsewhere):                                          syscall.EOPNOTSUPP,
		kind(remote.Superseded):                                         syscall.ESTALE,
		kind(remote.Cancelled):                                          syscall.EINTR,
		&remote.Error{Op: "X", Kind: remote.Status, Status: 401}:        syscall.EACCES,
		&remote.Error{Op: "X", Kind: remote.Status, Status: 403}:        syscall.EACCES,
		&remote.Error{Op: "X", Kind: remote.Status, Status: 404}:        syscall.EIO,
		context.Canceled:                                                syscall.EINTR,
		catalogue.ErrNotFound:                                           syscall.ENOENT,
		catalogue.ErrTaken:                                              syscall.EEXIST,
		catalogue.ErrNotEmpty:                                           syscall.ENOTEMPTY,
		catalogue.ErrChanged:                                            syscall.EBUSY,
		catalogue.ErrInvalid{Reason: "no"}:                              syscall.EINVAL,
		document.ErrUnknownJob:                                          syscall.ENOENT,
		document.ErrInvalid:                                             syscall.EINVAL,
		Refuse(syscall.EPERM, "no"):                                     syscall.EPERM,
		syscall.ENOSPC:                                                  syscall.ENOSPC,
		syscall.ENOSYS:                                                  syscall.EIO,
		syscall.EAGAIN:                                                  syscall.EIO,
		errors.New("anything else"):                                     syscall.EIO,
	} {
		assert.Equal(t, want, Of(err), "%v", err)
		assert.Equal(t, want, Of(fmt.Errorf("outer: %w", fmt.Errorf("inner: %w", err))), "%v, wrapped twice", err)
	}
	assert.Zero(t, Of(nil))
}

func TestEveryKindOfTheMediaStoreHasItsErrno(t *testing.T) {
	for k := media.Invalid; k <= media.Damaged; k++ {
		_, ok := mediaKinds[k]
		assert.True(t, ok, "kind %d", k)
	}
}

func TestAFailureOfTheServiceOutranksItsCode(t *testing.T) {
	taken := fmt.Errorf("%w: %w", catalogue.ErrTaken, &remote.Error{Op: "MovePaper", Kind: remote.Refused, Code: remote.Failure})
	assert.Equal(t, syscall.EEXIST, Of(taken))
}
