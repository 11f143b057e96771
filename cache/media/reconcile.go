package media

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"paperfs/remote"
)

// reconciliation compares a GetTree answer with the tree here and makes the
// tree here agree, except where one of our own changes is newer than the
// answer. Store.mu is held all the while.
type reconciliation struct {
	*Store
	began   uint64 // number of our last change when the tree was asked for
	now     instant
	answer  remote.MediaTree
	moved   []moved // what lost its name, and has one again unless that cannot be shown
	changes map[*node]*Changed
	hidden  map[int64]bool // directories of the answer that never have a place, by their ids
	partly  bool           // what is here kept some of the answer from being taken over
}

// reconcileLocked tells what has changed for the kernel, and whether the answer was
// taken over whole: then the same answer changes nothing until something is
// changed here.
func (s *Store) reconcileLocked(tree remote.MediaTree, began uint64) (changed []Changed, whole bool) {
	r := &reconciliation{Store: s, began: began, now: s.now(), answer: tree, changes: make(map[*node]*Changed)}
	s.tree.left = 0
	r.dropOwnRemovals()
	r.takeOut()
	for _, d := range r.answer.Dirs {
		r.placeDir(d)
	}
	for _, f := range r.answer.Files {
		r.placeFile(f)
	}
	r.dropHomeless()
	r.dropUnmade()
	changes := make([]Changed, 0, len(r.changes))
	for dir, c := range r.changes {
		c.Dir = dir.ino
		changes = append(changes, *c)
	}
	return changes, !r.partly
}

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

// moved is what the service has moved, and from where.
type moved struct {
	*node
	from link
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

// loseLocked forgets what the service had of n, and takes its name unless something
// is being written there; s.mu must be held.
func (s *Store) loseLocked(n *node) (gone bool) {
	delete(s.files, n.pub.id)
	if n.dirty() {
		n.pub = version{}
		s.keepLocked(n)
		return false
	}
	n.pub.id, n.pub.url = 0, address{} // what it was is for those who have it open
	if n.writers > 0 {
		n.own().lost = n.path()
	}
	s.unlinkLocked(n)
	if n.writers > 0 {
		n.on(vanished)
	}
	return true
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

func (r *reconciliation) placeDir(d remote.MediaDir) {
	dir := r.parent(d.Parent)
	if dir == nil || !r.showable(d.Name) {
		r.hide(d.ID, d.Parent, dir != nil)
		return
	}
	n := r.dirs[d.ID]
	if n != nil && (n.changed > r.began || n.parent != nil) {
		return
	}
	before := dir.children[d.Name]
	if there := dir.children[d.Name]; there != nil {
		if there.kind != Directory || there.id != 0 || n != nil {
			r.covered(dir, d.Name)
			return
		}
		n = there // a directory of this machine that the service has now, too
		n.detach()
		if n.local() {
			n.on(shown)
		}
	}
	if n == nil {
		n = r.newNodeLocked(Directory, 0o755, Owner, Owner)
	}
	n.id = d.ID
	r.setQueuedLocked(n, false)
	r.linkLocked(dir, d.Name, n)
	r.indexLocked(n)
	if n != before {
		r.entry(dir, d.Name)
	}
	r.arrivedLocked(n)
}

func (r *reconciliation) placeFile(f remote.MediaFile) {
	dir := r.parent(f.Parent)
	if dir == nil || !r.showable(f.Name) {
		r.hide(0, f.Parent, dir != nil)
		return
	}
	v := version{id: f.ID, size: f.Bytes, kb: f.SizeKB, sha256: digestOf(f.SHA256), url: addressOf(f.URL, f.ID, f.Name), modTime: r.now}
	n := r.files[f.ID]
	if n != nil && n.changed > r.began {
		return
	}
	if n != nil && n.parent != nil {
		r.update(n, v)
		return
	}
	if there := dir.children[f.Name]; there != nil {
		if there.kind != File || there.local() || there.pub.id != 0 || n != nil {
			r.covered(dir, f.Name)
			return
		}
		there.pub = v // being written here: this is what it replaces
		r.indexLocked(there)
		r.keepLocked(there)
		r.content(there)
		return
	}
	if n == nil {
		n = r.newNodeLocked(File, 0o644, Owner, Owner)
		n.pub = v
		n.mtime = v.modTime
	}
	r.linkLocked(dir, f.Name, n)
	r.indexLocked(n)
	r.entry(dir, f.Name)
	r.update(n, v)
}

// update takes over what the service says of a file.
func (r *reconciliation) update(n *node, v version) {
	if !n.pub.differs(v) {
		if merged := n.pub.merge(v); merged != n.pub {
			n.pub = merged
			r.keepLocked(n)
		}
		return
	}
	n.pub = v
	if !n.dirty() && !n.blank {
		n.mtime, n.ctime = v.modTime, v.modTime
		r.content(n)
	}
	r.keepLocked(n)
}

// parent finds a directory by the service's id.
func (r *reconciliation) parent(id int64) *node {
	if id == 0 {
		return r.root
	}
	if n := r.dirs[id]; n != nil && n.parent != nil {
		return n
	}
	return nil
}

// hide notes that what has an id (0 for a file) is not shown: because of its
// name or that of a directory around it, which is so in each comparison, or for
// what is here.
func (r *reconciliation) hide(id, parent int64, name bool) {
	if !name && !r.hidden[parent] {
		r.partly = true
	}
	if id != 0 {
		if r.hidden == nil {
			r.hidden = make(map[int64]bool)
		}
		r.hidden[id] = true
	}
}

// showable reports whether a name can stand in a directory.
func (r *reconciliation) showable(name string) bool {
	ok := name != "" && name != "." && name != ".." && len(name) <= longestName && !strings.ContainsAny(name, "/\x00")
	if !ok {
		r.leaveOut("the name %q cannot be shown in media/", name)
	}
	return ok
}

// covered notes that what is here takes the place of what the service has.
func (r *reconciliation) covered(dir *node, name string) {
	r.leaveOut("media/%s: what has this name here hides what has it at the service: rename it to see that", path.Join(dir.path(), name))
	r.partly = true
}

// leaveOut counts a name that has no place.
func (r *reconciliation) leaveOut(format string, args ...any) {
	r.tree.left++
	r.tree.hidden = append(r.tree.hidden, fmt.Sprintf(format, args...))
}

func (r *reconciliation) change(dir *node) *Changed {
	c := r.changes[dir]
	if c == nil {
		c = new(Changed)
		r.changes[dir] = c
	}
	return c
}

// entry notes that a name of dir now stands for something else.
func (r *reconciliation) entry(dir *node, name string) {
	c := r.change(dir)
	c.Entries = append(c.Entries, name)
}

// content notes that a file has other content or attributes now.
func (r *reconciliation) content(n *node) {
	c := r.change(n.parent)
	c.Contents = append(c.Contents, n.name)
}
