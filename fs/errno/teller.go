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

// Teller tells a failed operation in the three places where a user may look:
// its errno, the log and .paperfs/errors, all in the same words.
type Teller struct {
	Log *failure.Log
	Now func() time.Time // nil for time.Now
	// Gone is called when the service says that a node does not exist: the
	// catalogue is out of date. It may be nil.
	Gone func()

	mu   sync.Mutex
	last failure.Event // guarded by mu: what was told last
}

// again is how soon an equal failure counts as the same one. mv sends a
// refused rename twice (RENAME2, then RENAME).
const again = time.Second

// Tell is Failed for the outcome of a whole operation: that it went well is
// noted with the failures of path before.
func (t *Teller) Tell(op, path string, id int64, err error) syscall.Errno {
	if err == nil {
		t.Succeeded(path)
	}
	return t.Failed(op, path, id, err)
}

// Succeeded notes that an operation on path went well, and not only a step of it,
// such as one write of what a close publishes.
func (t *Teller) Succeeded(path string) {
	if !t.Failing() {
		return
	}
	t.Log.Succeeded(path, t.now())
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last.Path == path { // an equal failure is another one from here on
		t.last = failure.Event{}
	}
}

// Failed maps err and records it. op is what the user did ("mkdir", "write"),
// path what it was done to, from the mount's root; id the node, 0 for none. A
// nil err is 0. An interrupted call is told to nobody: its caller is gone.
func (t *Teller) Failed(op, path string, id int64, err error) syscall.Errno {
	errno := Of(err)
	if errno == 0 || errno == syscall.EINTR {
		return errno
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

// Failing reports whether something has failed: only then a success is worth
// telling.
func (t *Teller) Failing() bool { return t.Log != nil && t.Log.Count() > 0 }

// name is how an errno is called; where two names stand for one number, the
// one that the documents use.
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
