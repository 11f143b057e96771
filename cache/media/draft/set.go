package draft

import (
	"slices"
	"strings"

	"paperfs/cache/content/outbox"
	"paperfs/cache/content/tree"
)

// NewSet creates an empty set.
func NewSet(o Options) *Set {
	s := &Set{o: o}
	s.Outbox = outbox.New(outbox.Options[*Draft]{
		Send: s.deliver, Ready: func(d *Draft) bool { return d.publishedBy() != nil }, Senders: o.Senders, Pause: o.Pause, Now: o.Now,
	})
	return s
}

// New creates an empty draft of a paper's PDF that is to be sent to path.
func (s *Set) New(paper int64, path string) *Draft {
	return &Draft{set: s, record: record{ino: s.o.Ino(), paper: paper, path: path}}
}

// Idle reports whether nothing is queued, and every released draft is finalized.
func (s *Set) Idle() bool { return s.Outbox.Idle() && s.released.Load() == 0 }

// Writing returns the paths, from the mount's root, of PDFs with content that no close has sent
// or queued yet.
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

// Temporary reports whether a path contains a name that stays on this machine: a draft with
// that path has yet to get its final name.
func (s *Set) Temporary(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), func(name string) bool {
		return name != "" && s.o.Names.Local(name, "", func(string) bool { return false })
	})
}

// Discard moves the content queued for a path to failed/ with the reason. It reports whether
// content was queued.
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
	d.sending.Lock() // waits until it is no longer being sent
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
