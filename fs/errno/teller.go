package errno

import (
	"errors"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"paperfs/cache/failure"
	"paperfs/remote"
)

// Teller reports a failed operation in the three places where a user may look: its errno,
// the log and .paperfs/errors, in the same words.
type Teller struct {
	Log *failure.Log
	Now func() time.Time // nil for time.Now
	// Gone is called when the service says that a node does not exist, which means that
	// the catalogue is out of date. It may be nil.
	Gone func()
}

// Tell is Failed for the outcome of a whole operation: it marks earlier failures of path as
// followed by a success.
func (t *Teller) Tell(op, path string, id int64, err error) syscall.Errno {
	if err == nil {
		t.Succeeded(op, path)
	}
	return t.Failed(op, path, id, err)
}

// Succeeded records that op on path succeeded as a whole, and not only a step of
// it, such as one write of content that a close publishes.
func (t *Teller) Succeeded(op, path string) {
	if !t.Failing() {
		return
	}
	t.Log.Succeeded(op, path, t.now())
}

// Failed maps err to an errno and records it. op is the operation ("mkdir", "write"), path
// its path from the mount's root, and id the node or 0. For a nil err it returns 0. It does
// not record an interrupted call, whose caller has ended, nor a refusal that is recorded already, nor EXDEV, after which
// mv copies.
func (t *Teller) Failed(op, path string, id int64, err error) syscall.Errno {
	errno := Of(err)
	if errno == 0 || errno == syscall.EINTR || errno == syscall.EXDEV {
		return errno
	}
	if r, ok := errors.AsType[*Refusal](err); ok && r.Again {
		return errno
	}
	if op == "list" && errno == syscall.ENOENT {
		errno = syscall.EINVAL // no listing fails with ENOENT: the C library takes that for the end of the directory
	}
	event := failure.Event{
		Time: t.now(), Op: op, Path: path, ID: id,
		Errno: name(errno), Message: err.Error(),
	}
	if o, ok := errors.AsType[*onto](err); ok {
		event.To = o.to
	}
	if re, ok := errors.AsType[*remote.Error](err); ok {
		event.Code, event.Request = string(re.Code), re.Request
		if re.Code == remote.PaperDoesNotExist && t.Gone != nil {
			t.Gone()
		}
	}
	t.Log.Report(event)
	return errno
}

// Failing reports whether any failure is recorded: only then is a success worth
// recording.
func (t *Teller) Failing() bool { return t.Log != nil && t.Log.Count() > 0 }

// name returns the name of an errno. Where two names share a number, it returns the one
// that the manual uses.
func name(errno syscall.Errno) string {
	if errno == syscall.EOPNOTSUPP {
		return "EOPNOTSUPP"
	}
	return unix.ErrnoName(errno)
}

func (t *Teller) now() time.Time {
	if t.Now != nil {
		return t.Now()
	}
	return time.Now()
}
