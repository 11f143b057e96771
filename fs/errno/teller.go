package errno

import (
	"errors"
	"sync"
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

	mu   sync.Mutex
	last failure.Event // guarded by mu: the last report
}

// again is the time within which an equal failure is the same one. mv sends a refused
// rename twice (RENAME2, then RENAME).
const again = time.Second

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
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last.Path == path { // an equal failure after this is a new one
		t.last = failure.Event{}
	}
}

// Failed maps err to an errno and records it. op is the operation ("mkdir", "write"), path
// its path from the mount's root, and id the node or 0. For a nil err it returns 0. It does
// not record an interrupted call, whose caller has ended, nor a refusal that is recorded already.
func (t *Teller) Failed(op, path string, id int64, err error) syscall.Errno {
	errno := Of(err)
	if errno == 0 || errno == syscall.EINTR {
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
	if re, ok := errors.AsType[*remote.Error](err); ok {
		event.Code, event.Request = string(re.Code), re.Request
		if re.Code == remote.PaperDoesNotExist && t.Gone != nil {
			t.Gone()
		}
	}
	t.report(event)
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

func (t *Teller) report(e failure.Event) {
	t.mu.Lock()
	last := t.last
	t.last = e
	t.mu.Unlock()
	same := last
	same.Time, same.Request = e.Time, e.Request
	if same == e && e.Time.Sub(last.Time) < again {
		return
	}
	t.Log.Report(e)
}

func (t *Teller) now() time.Time {
	if t.Now != nil {
		return t.Now()
	}
	return time.Now()
}
