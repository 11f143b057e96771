package draft

import (
	"slices"
	"strings"

	"paperfs/cache/media/outbox"
	"paperfs/cache/media/tree"
)

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

// Idle reports whether nothing is queued, and nothing released that is not put where it belongs.
func (s *Set) Idle() bool {
	if !s.Outbox.Idle() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.released == 0
}

// Writing are the paths, from the mount's root, of PDFs with something that no close has
// sent or queued yet.
func (s *Set) Writing() (paths []string) {
	for _, d := range s.withContent() {
		d.mu.Lock()
		if d.untriedLocked() && !s.Temporary(d.path) {
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
	queued := d.pending != nil
	d.refuseLocked(reason)
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
