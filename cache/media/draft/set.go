package draft

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"paperfs/cache/media/contentcache"
	"paperfs/cache/media/disk"
	"paperfs/cache/media/failed"
	"paperfs/cache/media/inode"
	"paperfs/cache/media/journal"
	"paperfs/cache/media/localname"
	"paperfs/cache/media/lock"
	"paperfs/cache/media/outbox"
	"paperfs/cache/media/progress"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
)

// Options of a Set.
type Options struct {
	State    journal.State
	Spools   *spool.Dir
	Failures *failed.Store
	Contents *contentcache.Cache // what was sent is kept there
	Room     *disk.Room
	Sound    *disk.Soundness
	Progress *progress.Table // of uploads
	Names    localname.Names // a path with such a name is on the way to a PDF's name

	Senders int                                          // queued PDFs that are sent at a time
	Pause   func(failures int, last error) time.Duration // between attempts
	Now     func() time.Time
	Log     *slog.Logger

	Ino func() inode.Ino // a number that nothing else has
	// Enter counts what goes on in the background, and fails once the mount has ended; Left ends it.
	Enter func() error
	Left  func()
	// Tried is told how an attempt to send what was queued ended that says something of
	// all of it: nil for a success. It is called without locks.
	Tried func(err error)
	// SentPDF tells which PDF was last sent for a paper, "" where none was; nil: none ever.
	SentPDF func(paper int64) (sha256 string, size int64, err error)
}

// Set is all drafts of a mount. Its methods may be called at the same time.
type Set struct {
	o Options
	// Outbox is those that are queued.
	Outbox *outbox.Outbox[*Draft]
	left   []Queued // of an earlier run

	mu       lock.Mutex[lock.Drafts]
	written  map[*Draft]bool // guarded by mu: those with content that have not ended
	released int             // guarded by mu: those whose last release came and which are not put where they belong
}

// NewSet makes a set without drafts.
func NewSet(o Options) *Set {
	s := &Set{o: o, written: make(map[*Draft]bool)}
	s.Outbox = outbox.New(outbox.Options[*Draft]{
		Send: s.deliver, Ready: func(d *Draft) bool { return d.publishedBy() != nil }, Senders: o.Senders, Pause: o.Pause, Now: o.Now,
	})
	return s
}

// New begins an empty draft of a paper's PDF, which is meant to go to path.
func (s *Set) New(paper int64, path string) *Draft {
	return &Draft{set: s, record: record{ino: s.o.Ino(), paper: paper, path: path}}
}

func (s *Set) begins(d *Draft) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written[d] = true
}

func (s *Set) ends(d *Draft) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.written, d)
}

// countReleased counts a draft in, or by -1 out.
func (s *Set) countReleased(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.released += by
}

// Idle reports whether nothing is queued, and nothing released that is not put where it belongs.
func (s *Set) Idle() bool {
	if !s.Outbox.Idle() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.released == 0
}

// withContent are the drafts with content that have not ended, in no order.
func (s *Set) withContent() []*Draft {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.written))
}

// Writing are the paths, from the mount's root, of PDFs with something that no close has
// sent or queued yet.
func (s *Set) Writing() (paths []string) {
	for _, d := range s.withContent() {
		d.mu.Lock()
		if d.untried() && !s.Temporary(d.path) {
			paths = append(paths, tree.MountPath(d.path))
		}
		d.mu.Unlock()
	}
	slices.Sort(paths)
	return paths
}

// Temporary reports whether a path has a name that stays on this machine: a
// draft that is meant to go there has yet to get its name.
func (s *Set) Temporary(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), func(name string) bool {
		return name != "" && s.o.Names.Local(name, "", func(string) bool { return false })
	})
}

// Discard gives up on what is queued for a path: the content goes to failed/, with the reason.
// It reports whether something was queued.
func (s *Set) Discard(path string, reason error) bool {
	for _, item := range s.Outbox.List() {
		if d := item.Key; d.Path() == path && d.discard(reason) {
			return true
		}
	}
	return false
}

func (d *Draft) discard(reason error) bool {
	if was, there := d.set.Outbox.Cancel(d); there && was.Active() {
		d.set.Outbox.Interrupt(d)
	}
	d.sending.Lock() // until it is not being sent any more
	d.mu.Lock()
	queued := d.closed != nil
	d.refuse(reason)
	d.set.Outbox.Drop(d)
	d.mu.Unlock()
	d.sending.Unlock()
	to := d.publishedBy()
	if !queued || to == nil {
		return false
	}
	to.Published(reason)
	return true
}
