package reconcile

import (
	"path"
	"slices"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/remote"
)

// This file handles files and directories that a GetTree answer lacks, or has elsewhere.

// dropOwnRemovals removes from the answer what this mount deleted after the request began, and
// forgets older deletions.
func (r *reconciliation) dropOwnRemovals() {
	if len(r.names.DeletedFiles)+len(r.names.DeletedDirs) == 0 {
		return
	}
	r.answer = remote.MediaTree{
		Dirs:  slices.DeleteFunc(slices.Clone(r.answer.Dirs), func(d remote.MediaDir) bool { return r.names.DeletedDirs[d.ID] > r.began }),
		Files: slices.DeleteFunc(slices.Clone(r.answer.Files), func(f remote.MediaFile) bool { return r.names.DeletedFiles[f.ID] > r.began }),
	}
	for _, removed := range []map[int64]uint64{r.names.DeletedFiles, r.names.DeletedDirs} {
		for id, when := range removed {
			if when <= r.began {
				delete(removed, id)
			} else {
				r.incomplete = true
			}
		}
	}
}

// dropVanished removes the names of nodes that the service no longer has, or has elsewhere, so that
// those names are free.
func (r *reconciliation) dropVanished() {
	for _, f := range r.answer.Files {
		r.markAnswered(r.names.Files[f.ID], f.Parent, f.Name)
	}
	for _, n := range r.asked("file", r.names.Files) {
		if r.gone(n) {
			r.record(r.names.LoseLocked(n)...)
		}
	}
	for _, d := range r.answer.Dirs {
		r.markAnswered(r.names.Dirs[d.ID], d.Parent, d.Name)
	}
	var gone []*tree.Node
	for _, n := range r.asked("directory", r.names.Dirs) {
		if r.gone(n) {
			gone = append(gone, n)
		}
	}
	for _, n := range r.dropEmptyDirs(gone) {
		r.keepVanishedDir(n)
	}
}

// asked returns those nodes of a kind, by id, that the answer is about: all, or the ones that are told of.
func (r *reconciliation) asked(kind string, all map[int64]*tree.Node) map[int64]*tree.Node {
	if r.lines == nil {
		return all
	}
	some := map[int64]*tree.Node{}
	for _, e := range r.lines {
		if n := all[e.ID]; n != nil && e.Kind == kind {
			some[e.ID] = n
		}
	}
	return some
}

// dropEmptyDirs removes those directories that are empty, or become empty by that, and returns the
// rest.
func (r *reconciliation) dropEmptyDirs(gone []*tree.Node) (remaining []*tree.Node) {
	for len(gone) > 0 { // innermost directories first
		var rest []*tree.Node
		for _, n := range gone {
			if !r.dropIfEmpty(n) {
				rest = append(rest, n)
			}
		}
		if len(rest) == len(gone) {
			break // each has local entries
		}
		gone = rest
	}
	return gone
}

// dropKeptDirs removes directories that an earlier reconciliation kept (see keepVanishedDir)
// once nothing keeps them any more, unless they were created again.
func (r *reconciliation) dropKeptDirs() {
	var kept []*tree.Node
	for _, n := range r.names.Nodes {
		if unmade(n) {
			kept = append(kept, n)
		}
	}
	r.dropEmptyDirs(kept)
}

// unmade reports whether n is a directory that the service does not have, and that nothing will make there.
func unmade(n *tree.Node) bool {
	return n.Kind == inode.Directory && n.Parent != nil && !n.Local() && !n.Queued() && n.ID == 0 && n.Making == 0
}

// markAnswered marks n, which may be nil, as present in the answer, and removes its name if the
// answer has it elsewhere. Content that was not begun on a version of the service does not follow one.
func (r *reconciliation) markAnswered(n *tree.Node, parent int64, name string) {
	if n == nil {
		return
	}
	n.Answered = true
	r.incomplete = r.incomplete || n.Changed > r.began
	if n.Changed > r.began || n.Parent == nil || n.Name == name && n.Parent.ID == parent {
		return
	}
	if n.Pub.ID != n.Latest().ID {
		n.Answered = false
		r.names.VersionsLocked(n, n.Pub, tree.Version{})
		return
	}
	r.names.DetachSidecarsLocked(n)
	r.entry(n.Parent, n.Name)
	r.moves(n, tree.Link{Dir: n.Parent, Name: n.Name}, n.Path())
}

// moves takes a name away from n, which had a path. It gets another one unless that cannot be shown.
func (r *reconciliation) moves(n *tree.Node, from tree.Link, path string) {
	r.moved = append(r.moved, moved{n, from, path})
	n.Unname(from)
}

// gone reports whether n is absent from the answer, and clears its mark.
func (r *reconciliation) gone(n *tree.Node) bool {
	answered := n.Answered
	n.Answered = false
	r.incomplete = r.incomplete || !answered && n.Changed > r.began
	return !answered && n.Changed <= r.began
}

// dropIfEmpty removes a directory if it is empty.
func (r *reconciliation) dropIfEmpty(n *tree.Node) bool {
	if len(n.Children) > 0 {
		return false
	}
	r.entry(n.Parent, n.Name)
	r.names.UnlinkLocked(n)
	return true
}

// keepVanishedDir keeps a directory that others deleted at the service, because it has local
// entries. The next close of a file in it creates the directory again; if something in it is
// queued, this happens at once.
func (r *reconciliation) keepVanishedDir(n *tree.Node) {
	delete(r.names.Dirs, n.ID)
	n.ID = 0
	if n.HasQueued() {
		r.names.SetQueuedLocked(n, true)
	}
	r.names.SaveLocked(n)
}

// dropUnplaced drops files and directories that the service moved to a name that cannot be
// shown, with what is in them. A file with unsent content gets its old name back.
func (r *reconciliation) dropUnplaced() {
	for len(r.moved) > 0 {
		m := r.moved[0]
		n := m.Node
		r.moved = r.moved[1:]
		if n.Parent != nil || n.State() == tree.Orphan { // it has another name, or even another inode
			continue
		}
		if n.Holds() && r.restoreName(m) {
			continue
		}
		if n.Kind == inode.Directory {
			for name, below := range n.Children {
				r.moves(below, tree.Link{Dir: n, Name: name}, path.Join(m.path, name))
			}
			r.names.EndLocked(n)
			continue
		}
		r.names.OrphanLocked(n, m.path, names.Superseded(m.path))
		c := r.change(m.from.Dir.Ino) // which may be gone as well
		c.Detached = append(c.Detached, n)
		r.names.DropSoonLocked(n)
	}
}

// restoreName restores the name of a file with unsent content, as a new file, unless it is taken.
func (r *reconciliation) restoreName(m moved) bool {
	r.names.LoseLocked(m.Node)
	at := m.from
	if (at.Dir.Parent != nil || at.Dir == r.names.Root) && at.Dir.Free(at.Name, false) == nil {
		r.names.LinkLocked(at.Dir, at.Name, m.Node)
		r.entry(at.Dir, at.Name)
		return true
	}
	return false
}
