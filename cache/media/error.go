package media

import (
	"errors"
	"strconv"
	"syscall"

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

func notFound(name string) error {
	return &Error{Kind: NotFound, Name: name, Detail: "no such file or directory"}
}

func taken(name string) error {
	return &Error{Kind: Exists, Name: name, Detail: "the name is taken"}
}

func clash(name, other string) error {
	return &Error{Kind: Exists, Name: name, Detail: "the service does not tell upper from lower case, and has " + strconv.Quote(other)}
}

func deleteForbidden(name string) error {
	return &Error{Kind: Forbidden, Name: name, Detail: "it is at the service, and nothing is deleted there unless the mount was started with --allow-delete"}
}

// withoutRoom is a failure to write, with the kind of one that found no room.
func withoutRoom(err error) error {
	if e, ok := errors.AsType[*disk.FullError](err); ok {
		return &Error{Kind: Full, Detail: e.Detail}
	}
	return err
}

var errClosed = errors.New("the mount has ended")

func unsupported(name, detail string) error {
	return &Error{Kind: Unsupported, Name: name, Detail: detail}
}

// unfinished is the reason of content that may be a part.
type unfinished struct{ error }

func (e unfinished) Unwrap() error { return e.error }

func isUnfinished(reason error) bool { return errors.As(reason, new(unfinished)) }

func lostWrites(path string) error {
	return &Error{Kind: Damaged, Name: path, Detail: "it was deleted at the service while it was being written here; what was written is kept among the failed"}
}

// unkept is the failure to keep the state.
type unkept struct {
	what string
	err  error
}

// ofMedia is what the table keeps.
const ofMedia = "the state of media/"

func (e *unkept) Error() string { return "keeping " + e.what + ": " + e.err.Error() }

// Unwrap gives ENOSPC, too, where the database has found no room.
func (e *unkept) Unwrap() []error {
	if code, ok := errors.AsType[interface {
		error
		Code() int
	}](e.err); ok && code.Code()&0xff == sqliteFull {
		return []error{e.err, syscall.ENOSPC}
	}
	return []error{e.err}
}

// sqliteFull is SQLite's code for a full disk.
const sqliteFull = 13
