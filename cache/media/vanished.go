package media

import (
	"slices"

	"paperfs/remote"
)

// This file holds what becomes of the files and directories that a tree which was read
// lacks, or has elsewhere.

// dropOwnRemovals takes out of the answer what was deleted here after it was
// asked for, and forgets older deletions.
func (r *reconciliation) dropOwnRemovals() {
	if len(r.removed)+len(r.removedD) == 0 {
		return
	}
	r.answer = remote.MediaTree{
		Dirs:  slices.DeleteFunc(slices.Clone(r.answer.Dirs), func(d remote.MediaDir) bool { return r.removedD[d.ID] > r.began }),
		Files: slices.DeleteFunc(slices.Clone(r.answer.Files), func(f remote.MediaFile) bool { return r.removed[f.ID] > r.began }),
	}
	for _, removed := range []map[int64]uint64{r.removed, r.removedD} {
		for id, when := range removed {
			if when <= r.began {
				delete(removed, id)
			} else {
				r.partly = true
			}
		}
	}
}

// takeOut takes the names of what the service no longer has, or has elsewhere,
// so that places are free for what it has now.
func (r *reconciliation) takeOut() {
	for _, f := range r.answer.Files {
		r.stays(r.files[f.ID], f.Parent, f.Name)
	}
	for _, n := range r.files {
		if r.gone(n) {
			r.goneFile(n)
		}
	}
	for _, d := range r.answer.Dirs {
		r.stays(r.dirs[d.ID], d.Parent, d.Name)
	}
	var gone []*node
	for _, n := range r.dirs {
		if r.gone(n) {
			gone = append(gone, n)
		}
	}
	for _, n := range r.goneDirs(gone) {
		r.unmake(n)
	}
}

// goneDirs takes out those of the directories that are empty, or become so by
// that, and returns the rest.
func (r *reconciliation) goneDirs(gone []*node) (kept []*node) {
	for len(gone) > 0 { // those without directories below them that also go come first
		var rest []*node
		for _, n := range gone {
			if !r.goneDir(n) {
				rest = append(rest, n)
			}
		}
		if len(rest) == len(gone) {
			break // each holds something of ours
		}
		gone = rest
	}
	return gone
}

// dropUnmade takes out the directories that an earlier comparison has kept (see
// unmake), that nobody has made again since, and that nothing keeps any more.
func (r *reconciliation) dropUnmade() {
	var unmade []*node
	for _, n := range r.nodes {
		if n.kind == Directory && n.parent != nil && !n.local() && !n.queued() && n.id == 0 && n.making == 0 {
			unmade = append(unmade, n)
		}
	}
	r.goneDirs(unmade)
}

// stays notes that n, if there is one, is in the answer. Its name goes where the
// answer has it elsewhere.
func (r *reconciliation) stays(n *node, parent int64, name string) {
	if n == nil {
		return
	}
	n.answered = true
	r.partly = r.partly || n.changed > r.began
	if n.changed > r.began || n.parent == nil || n.name == name && n.parent.id == parent {
		return
	}
	r.entry(n.parent, n.name)
	r.moved = append(r.moved, moved{n, link{n.parent, n.name}})
	n.detach()
}

// gone reports whether n is not in the answer, and clears what stays noted.
func (r *reconciliation) gone(n *node) bool {
	answered := n.answered
	n.answered = false
	r.partly = r.partly || !answered && n.changed > r.began
	return !answered && n.changed <= r.began
}

// goneFile forgets what the service had of n.
func (r *reconciliation) goneFile(n *node) {
	if dir, name := n.parent, n.name; r.loseLocked(n) {
		r.entry(dir, name)
	}
}

// goneDir takes a directory out if it is empty.
func (r *reconciliation) goneDir(n *node) bool {
	if len(n.children) > 0 {
		return false
	}
	r.entry(n.parent, n.name)
	r.unlinkLocked(n)
	return true
}

// unmake keeps a directory that vanished at the service, since something of ours
// is in it: it is made again for the next file that is closed in it, at once
// where something in it waits to be sent.
func (r *reconciliation) unmake(n *node) {
	delete(r.dirs, n.id)
	n.id = 0
	if n.holdsQueued() {
		r.setQueuedLocked(n, true)
	}
	r.keepLocked(n)
}

// holdsQueued reports whether something in a directory waits to be sent.
func (dir *node) holdsQueued() bool {
	for _, n := range dir.children {
		if n.queued() || n.holdsQueued() {
			return true
		}
	}
	return false
}

// dropHomeless forgets what the service moved to a place that cannot be shown.
// What was written here, and is not there, stays where it was.
func (r *reconciliation) dropHomeless() {
	for _, m := range r.moved {
		n := m.node
		if n.parent != nil {
			continue
		}
		if n.dirty() && r.comeBack(m) {
			continue
		}
		r.unindexLocked(n)
		r.setQueuedLocked(n, false)
		n.on(unlinked)
		r.keepLocked(n)
		if n.handles == 0 {
			delete(r.nodes, n.ino)
		}
	}
}

// comeBack gives a file that was written here its place again, as a new one.
// Where that is taken, what was written goes to failed/.
func (r *reconciliation) comeBack(m moved) bool {
	delete(r.files, m.pub.id)
	m.node.pub = version{}
	at := m.from
	if (at.dir.parent != nil || at.dir == r.root) && at.dir.free(at.name, false) == nil {
		r.linkLocked(at.dir, at.name, m.node)
		r.entry(at.dir, at.name)
		return true
	}
	m.node.own().lost = (&node{parent: at.dir, name: at.name}).path()
	r.setQueuedLocked(m.node, false)
	m.node.on(vanished)
	r.keepLocked(m.node)
	go func() {
		if r.enter() == nil {
			defer r.work.Done()
			r.settle(m.node)
		}
	}()
	return true
}
