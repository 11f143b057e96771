// Package refusal has the errors that the media store itself returns, each with a kind that the
// mount maps to an errno.
package refusal

import (
	"errors"
	"strconv"

	"paperfs/cache/content/disk"
)

// Kind says why the media store refused something. Refusals by the service are *remote.Error.
type Kind int

// The kinds, and the errno of each.
const (
	Invalid      Kind = iota + 1 // the service does not accept the name (EINVAL)
	TooLong                      // a name of more than 255 bytes (ENAMETOOLONG)
	Exists                       // the name is taken, possibly in another case (EEXIST)
	NotFound                     // (ENOENT)
	NotDirectory                 // (ENOTDIR)
	IsDirectory                  // (EISDIR)
	NotEmpty                     // (ENOTEMPTY)
	Forbidden                    // the mount may not delete at the service (EPERM)
	LocalOnly                    // only scratch names support this (EPERM)
	Unsupported                  // the service cannot do it (EOPNOTSUPP)
	OtherDevice                  // programs have to copy it, and remove the old one (EXDEV)
	NoContent                    // the content is not cached and cannot be fetched (EOPNOTSUPP)
	Full                         // the quota or the free-space reserve would be exceeded (ENOSPC)
	OverQuota                    // the service has no room for it (EDQUOT)
	TooBig                       // beyond the maximum file size (EFBIG)
	Newer                        // someone else changed it at the service (EBUSY)
	Stale                        // the name has another inode now, which the kernel finds unseen (ESTALE)
	Superseded                   // the name has another inode now, and the caller must know (ESTALE)
	Damaged                      // the service returned other content than was published (EIO)
)

// Error is a refusal. Name is the file, Detail the reason and the remedy, for the user.
type Error struct {
	Kind   Kind
	Name   string
	Detail string
}

func (e *Error) Error() string {
	if e.Name == "" {
		return e.Detail
	}
	return strconv.Quote(e.Name) + ": " + e.Detail
}

// Is reports whether err is a refusal of kind k.
func Is(err error, k Kind) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Kind == k
}

func NoSuchFile(name string) error {
	return &Error{Kind: NotFound, Name: name, Detail: "no such file or directory"}
}

func NameTaken(name string) error {
	return &Error{Kind: Exists, Name: name, Detail: "the name is taken"}
}

func CaseClash(name, other string) error {
	return &Error{Kind: Exists, Name: name, Detail: "the service does not tell upper from lower case, and has " + strconv.Quote(other)}
}

func DeleteForbidden(name string) error {
	return &Error{Kind: Forbidden, Name: name, Detail: "it is on the service, and nothing is deleted there unless the mount was started with --allow-delete"}
}

func NotSupported(name, detail string) error {
	return &Error{Kind: Unsupported, Name: name, Detail: detail}
}

func CrossDevice(name string) error {
	return &Error{Kind: OtherDevice, Name: name, Detail: "this service cannot rename: mv copies the file and then removes the old one, and so can you"}
}

// WithoutRoom converts a *disk.FullError to a refusal of kind Full, and returns other errors
// unchanged.
func WithoutRoom(err error) error {
	if e, ok := errors.AsType[*disk.FullError](err); ok {
		return &Error{Kind: Full, Detail: e.Detail}
	}
	return err
}
