package reconcile

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/remote"
)

// reconciliation compares a GetTree answer with the local tree and updates the tree, except
// where one of this mount's own changes is newer than the answer. Tree.Mu is held throughout.
type reconciliation struct {
	*Reconciler
	began      uint64 // serial of this mount's last change when the request began
	now        inode.Instant
	answer     remote.MediaTree
	lines      []remote.Event               // what the answer is about, if it is a part of the tree; nil: it is all of it
	moved      []moved                      // nodes that lost their name; they get another unless it cannot be shown
	changes    map[inode.Ino]*names.Changed // by directory, which may be gone
	hidden     map[int64]bool               // ids of directories in the answer that are never shown
	incomplete bool                         // local changes kept part of the answer from being applied
}

func (r *reconciliation) change(dir inode.Ino) *names.Changed {
	c := r.changes[dir]
	if c == nil {
		c = &names.Changed{Dir: dir}
		r.changes[dir] = c
	}
	return c
}

// entry records that a name in dir now refers to something else.
func (r *reconciliation) entry(dir *tree.Node, name string) {
	c := r.change(dir.Ino)
	c.Entries = append(c.Entries, name)
}

// record records changes that were made with the store's own functions.
func (r *reconciliation) record(list ...names.Changed) {
	for _, c := range list {
		all := r.change(c.Dir)
		all.Entries, all.Detached = append(all.Entries, c.Entries...), append(all.Detached, c.Detached...)
	}
}

// moved is a node that the service moved, its old name, and its old path.
type moved struct {
	*tree.Node
	from tree.Link
	path string
}

// ReconcileLocked applies a GetTree answer whose request began at serial began. It returns the
// changes for the kernel, and whether the whole answer was applied: then the same answer
// changes nothing until something changes locally.
func (s *Reconciler) ReconcileLocked(answer remote.MediaTree, began uint64) (changed []names.Changed, whole bool) {
	return s.reconciled(&reconciliation{Reconciler: s, began: began, answer: answer})
}

func (s *Reconciler) reconciled(r *reconciliation) (changed []names.Changed, whole bool) {
	r.now, r.changes = s.names.Now(), make(map[inode.Ino]*names.Changed)
	r.dropOwnRemovals()
	r.dropVanished()
	for _, d := range r.answer.Dirs {
		r.mergeDir(d)
	}
	for _, f := range r.answer.Files {
		r.mergeFile(f)
	}
	r.dropUnplaced()
	r.dropKeptDirs()
	changes := make([]names.Changed, 0, len(r.changes))
	for _, c := range r.changes {
		changes = append(changes, *c)
	}
	return changes, !r.incomplete
}

func (r *reconciliation) mergeDir(d remote.MediaDir) {
	dir := r.parent(d.Parent)
	if dir == nil || !r.showable(d.Name) {
		r.hide(d.ID, d.Parent, dir != nil)
		return
	}
	n := r.names.Dirs[d.ID]
	if n != nil && n.Changed > r.began {
		return
	}
	if n != nil && n.Parent != nil {
		n.Mark = d.Version
		return
	}
	before := dir.Children[d.Name]
	if local := dir.Children[d.Name]; local != nil {
		if local.Kind != inode.Directory || local.ID != 0 || n != nil && !r.joins(local, n) {
			r.hiddenByLocal(dir, d.Name)
			return
		}
		if n == nil {
			n = local // a local directory that now exists at the service, too
			n.Detach()
		}
		if n.Local() {
			n.On(tree.Shown)
		}
	}
	if n == nil {
		n = r.names.NewNodeLocked(inode.Directory, 0o755, inode.Owner, inode.Owner)
	}
	n.ID, n.Mark = d.ID, d.Version
	r.names.SetQueuedLocked(n, false)
	r.names.LinkLocked(dir, d.Name, n)
	r.names.IndexLocked(n)
	if n != before {
		r.entry(dir, d.Name)
	}
	r.names.OfferChildrenLocked(n)
}

// joins gives what is in a local directory to the known directory that was moved to its name, as by our own move that a
// kill cut, and reports whether that is possible: it has no such names itself.
func (r *reconciliation) joins(local, n *tree.Node) bool {
	for name, below := range local.Children {
		if local.Local() || below.Local() || n.Free(name, false) != nil {
			return false
		}
	}
	for name, below := range local.Children {
		below.Unname(tree.Link{Dir: local, Name: name})
		r.names.LinkLocked(n, name, below)
		r.entry(n, name)
	}
	r.names.SetQueuedLocked(local, false)
	return r.dropIfEmpty(local)
}

func (r *reconciliation) mergeFile(f remote.MediaFile) {
	dir := r.parent(f.Parent)
	if dir == nil || !r.showable(f.Name) {
		r.hide(0, f.Parent, dir != nil)
		return
	}
	v := tree.Version{ID: f.ID, Size: f.Bytes, KB: f.SizeKB, SHA256: inode.DigestOf(f.SHA256), URL: tree.AddressOf(f.URL, f.ID, f.Name), ModTime: r.now, Mark: f.Version}
	n := r.names.Files[f.ID]
	if n != nil && n.Changed > r.began {
		return
	}
	if n != nil && n.Parent != nil {
		r.update(n, v)
		return
	}
	if local := dir.Children[f.Name]; local != nil && !(unmade(local) && r.dropIfEmpty(local)) {
		if local.Kind != inode.File || local.Local() || local.Pub.ID != 0 || n != nil && !local.Holds() {
			r.hiddenByLocal(dir, f.Name)
			return
		}
		r.replace(local, v) // others may also have moved a file here
		return
	}
	if n == nil {
		n = r.names.NewNodeLocked(inode.File, 0o644, inode.Owner, inode.Owner)
		n.Pub = v
		n.Mtime = v.ModTime
	}
	r.names.LinkLocked(dir, f.Name, n)
	r.names.IndexLocked(n)
	r.entry(dir, f.Name)
	r.update(n, v)
}

// update applies version v of the service to a file.
func (r *reconciliation) update(n *tree.Node, v tree.Version) {
	if n.Pub.ID == v.ID && !n.Pub.Differs(v) {
		if n.Theirs.ID != 0 { // they have put it back
			r.names.VersionsLocked(n, n.Pub, tree.Version{})
		}
		was := n.Pub
		n.Pub = was.Merge(v)
		if was.Mark = n.Pub.Mark; was != n.Pub { // rows do not have the mark
			r.names.SaveLocked(n)
		}
		return
	}
	r.replace(n, v)
}

// replace gives the name of n a new inode for version v of the service. What local programs hold keeps
// its inode: what they write does not replace v unseen. While it is being sent, v may be that.
func (r *reconciliation) replace(n *tree.Node, v tree.Version) {
	if !n.Holds() {
		_, change := r.names.SupersedeLocked(n, v)
		r.record(change)
		return
	}
	if r.names.LeaveOutLocked(n) {
		r.incomplete = true
		return
	}
	r.names.NoteTheirsLocked(n, v)
}

// parent returns the directory with a service id.
func (r *reconciliation) parent(id int64) *tree.Node {
	if id == 0 {
		return r.names.Root
	}
	if n := r.names.Dirs[id]; n != nil && n.Parent != nil {
		return n
	}
	return nil
}

// hide records that a directory with an id, or a file (id 0), of the answer is not shown. name
// says that its own name is the reason. That, like a hidden parent, recurs in each
// reconciliation; any other reason is a local change.
func (r *reconciliation) hide(id, parent int64, name bool) {
	if !name && !r.hidden[parent] {
		r.incomplete = true
	}
	if id != 0 {
		if r.hidden == nil {
			r.hidden = make(map[int64]bool)
		}
		r.hidden[id] = true
	}
}

// showable reports whether a name can appear in a directory.
func (r *reconciliation) showable(name string) bool {
	ok := name != "" && name != "." && name != ".." && len(name) <= tree.LongestName && !strings.ContainsAny(name, "/\x00")
	if !ok {
		r.leaveOut("the name %q cannot be shown in media/", name)
	}
	return ok
}

// hiddenByLocal records that a local entry hides one at the service.
func (r *reconciliation) hiddenByLocal(dir *tree.Node, name string) {
	at := path.Join(dir.Path(), name)
	r.names.GetTree.Covered = append(r.names.GetTree.Covered, at)
	r.leaveOut("media/%s: a local file or directory hides the one of this name on the service: rename the local one to see it", at)
	r.incomplete = true
}

// HidesLocked reports whether n hides what others have at the service, a directory if n is a file and the reverse;
// Tree.Mu must be held.
func (s *Reconciler) HidesLocked(n *tree.Node) bool {
	return n.Parent != nil && !n.AtService() && slices.Contains(s.names.GetTree.Covered, n.Path())
}

// leaveOut keeps a message about a name that cannot be shown.
func (r *reconciliation) leaveOut(format string, args ...any) {
	r.names.GetTree.Hidden = append(r.names.GetTree.Hidden, fmt.Sprintf(format, args...))
}
