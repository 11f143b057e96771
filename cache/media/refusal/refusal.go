// Package refusal is what the media store refuses on its own, with a kind that the mount
// turns into an errno.
package refusal

import (
	"errors"
	"strconv"

	"paperfs/cache/media/disk"
)

// Kind tells why the media store refused something on its own; what the
// service refused is a *remote.Error.
type Kind int

// The kinds, with the errno that the mount answers.
const (
	Invalid      Kind = iota + 1 // a name the service does not accept (EINVAL)
	TooLong                      // a name of more than 255 bytes (ENAMETOOLONG)
	Exists                       // the name is taken, maybe in another case (EEXIST)
	NotFound                     // (ENOENT)
	NotDirectory                 // (ENOTDIR)
	IsDirectory                  // (EISDIR)
	NotEmpty                     // (ENOTEMPTY)
	Forbidden                    // deleting at the service is not allowed (EPERM)
	LocalOnly                    // only scratch names can be this (EPERM)
	Unsupported                  // the service cannot do it (EOPNOTSUPP)
	NoContent                    // the content is neither here nor to be had (EOPNOTSUPP)
	Full                         // the quota or the free-space reserve would be passed (ENOSPC)
	TooBig                       // longer than a file can be (EFBIG)
	Newer                        // somebody else has changed it at the service (EBUSY)
	Damaged                      // what the service gives is not what was published (EIO)
)

// Error is a refusal. Name is what it is about, Detail the reason and what to
// do, for the user.
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
	return &Error{Kind: Forbidden, Name: name, Detail: "it is at the service, and nothing is deleted there unless the mount was started with --allow-delete"}
}

func NotSupported(name, detail string) error {
	return &Error{Kind: Unsupported, Name: name, Detail: detail}
}

// WithoutRoom is a failure to write, with the kind of one that found no room.
func WithoutRoom(err error) error {
	if e, ok := errors.AsType[*disk.FullError](err); ok {
		return &Error{Kind: Full, Detail: e.Detail}
	}
	return err
}
