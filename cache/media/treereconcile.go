package media

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// reconciliation compares a GetTree answer with the local tree and updates the tree, except
// where one of this mount's own changes is newer than the answer. Store.mu is held throughout.
type reconciliation struct {
	*Store
	began      uint64 // serial of this mount's last change when the request began
	now        inode.Instant
	answer     remote.MediaTree
	lines      []remote.Event   // what the answer is about, if it is a part of the tree; nil: it is all of it
	moved      []moved          // nodes that lost their name; they get another unless it cannot be shown
	changes    map[Ino]*Changed // by directory, which may be gone
	hidden     map[int64]bool   // ids of directories in the answer that are never shown
	incomplete bool             // local changes kept part of the answer from being applied
}

func (r *reconciliation) change(dir Ino) *Changed {
	c := r.changes[dir]
	if c == nil {
		c = &Changed{Dir: dir}
		r.changes[dir] = c
	}
	return c
}

// entry records that a name in dir now refers to something else.
func (r *reconciliation) entry(dir *tree.Node, name string) {
	c := r.change(dir.Ino)
	c.Entries = append(c.Entries, name)
}

// told records changes that were made with the store's own functions.
func (r *reconciliation) told(list ...Changed) {
	for _, c := range list {
		all := r.change(c.Dir)
		all.Entries, all.parted = append(all.Entries, c.Entries...), append(all.parted, c.parted...)
	}
}

// moved is a node that the service moved, its old name, and its old path.
type moved struct {
	*tree.Node
	from tree.Link
	path string
}

// reconcileLocked applies a GetTree answer whose request began at serial began. It returns the
// changes for the kernel, and whether the whole answer was applied: then the same answer
// changes nothing until something changes locally.
func (s *Store) reconcileLocked(answer remote.MediaTree, began uint64) (changed []Changed, whole bool) {
	return s.reconciled(&reconciliation{Store: s, began: began, answer: answer})
}

func (s *Store) reconciled(r *reconciliation) (changed []Changed, whole bool) {
	r.now, r.changes = s.now(), make(map[Ino]*Changed)
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
	changes := make([]Changed, 0, len(r.changes))
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
	n := r.dirs[d.ID]
	if n != nil && n.Changed > r.began {
		return
	}
	if n != nil && n.Parent != nil {
		n.Mark = d.Version
		return
	}
	before := dir.Children[d.Name]
	if local := dir.Children[d.Name]; local != nil {
		if local.Kind != Directory || local.ID != 0 || n != nil && !r.joins(local, n) {
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
		n = r.newNodeLocked(Directory, 0o755, Owner, Owner)
	}
	n.ID, n.Mark = d.ID, d.Version
	r.setQueuedLocked(n, false)
	r.linkLocked(dir, d.Name, n)
	r.indexLocked(n)
	if n != before {
		r.entry(dir, d.Name)
	}
	r.offerChildrenLocked(n)
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
		r.linkLocked(n, name, below)
		r.entry(n, name)
	}
	r.setQueuedLocked(local, false)
	return r.dropIfEmpty(local)
}

func (r *reconciliation) mergeFile(f remote.MediaFile) {
	dir := r.parent(f.Parent)
	if dir == nil || !r.showable(f.Name) {
		r.hide(0, f.Parent, dir != nil)
		return
	}
	v := tree.Version{ID: f.ID, Size: f.Bytes, KB: f.SizeKB, SHA256: inode.DigestOf(f.SHA256), URL: tree.AddressOf(f.URL, f.ID, f.Name), ModTime: r.now, Mark: f.Version}
	n := r.files[f.ID]
	if n != nil && n.Changed > r.began {
		return
	}
	if n != nil && n.Parent != nil {
		r.update(n, v)
		return
	}
	if local := dir.Children[f.Name]; local != nil && !(unmade(local) && r.dropIfEmpty(local)) {
		if local.Kind != File || local.Local() || local.Pub.ID != 0 || n != nil && !local.Holds() {
			r.hiddenByLocal(dir, f.Name)
			return
		}
		r.replace(local, v) // others may also have moved a file here
		return
	}
	if n == nil {
		n = r.newNodeLocked(File, 0o644, Owner, Owner)
		n.Pub = v
		n.Mtime = v.ModTime
	}
	r.linkLocked(dir, f.Name, n)
	r.indexLocked(n)
	r.entry(dir, f.Name)
	r.update(n, v)
}

// update applies version v of the service to a file.
func (r *reconciliation) update(n *tree.Node, v tree.Version) {
	if n.Pub.ID == v.ID && !n.Pub.Differs(v) {
		if n.Theirs.ID != 0 { // they have put it back
			r.versionsLocked(n, n.Pub, tree.Version{})
		}
		was := n.Pub
		n.Pub = was.Merge(v)
		if was.Mark = n.Pub.Mark; was != n.Pub { // rows do not have the mark
			r.saveLocked(n)
		}
		return
	}
	r.replace(n, v)
}

// replace gives the name of n a new inode for version v of the service. What local programs hold keeps
// its inode: what they write does not replace v unseen. While it is being sent, v may be that.
func (r *reconciliation) replace(n *tree.Node, v tree.Version) {
	if !n.Holds() {
		_, change := r.supersedeLocked(n, v)
		r.told(change)
		return
	}
	if r.leaveOutLocked(n) {
		r.incomplete = true
		return
	}
	r.noteTheirsLocked(n, v)
}

// parent returns the directory with a service id.
func (r *reconciliation) parent(id int64) *tree.Node {
	if id == 0 {
		return r.root
	}
	if n := r.dirs[id]; n != nil && n.Parent != nil {
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
	r.getTree.covered = append(r.getTree.covered, at)
	r.leaveOut("media/%s: a local file or directory hides the one of this name on the service: rename the local one to see it", at)
	r.incomplete = true
}

// hidesLocked reports whether n hides what others have at the service, a directory if n is a file and the reverse;
// s.mu must be held.
func (s *Store) hidesLocked(n *tree.Node) bool {
	return n.Parent != nil && !n.AtService() && slices.Contains(s.getTree.covered, n.Path())
}

// leaveOut keeps a message about a name that cannot be shown.
func (r *reconciliation) leaveOut(format string, args ...any) {
	r.getTree.hidden = append(r.getTree.hidden, fmt.Sprintf(format, args...))
}

// Moment is when a request begins that may be answered by what changed in the tree.
type Moment struct {
	serial  uint64    // of this mount's last change before
	fetched time.Time // the tree
}

// Moment returns the present one.
func (s *Store) Moment() Moment {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return Moment{s.serial, s.getTree.fetched}
}

// Hear changes the tree to what the service tells of some files and directories, which costs no request; false: the
// tree has to be fetched. The request to which the service answers began at a moment. If a GetTree is or was under way
// meanwhile, nobody knows which of the two answers is newer.
func (s *Store) Hear(since Moment, lines []remote.Event) bool {
	s.mu.Lock()
	t, before := s.getTree, s.dirtied
	if t.fetching || t.stale || t.err != nil || t.asked.IsZero() || !t.fetched.Equal(since.fetched) || len(t.odd)+len(t.hidden) > 0 {
		s.mu.Unlock()
		return false
	}
	changes, whole := s.tellLocked(lines, since.serial)
	s.getTree.validator = "" // an answer from before is not the tree any more
	whole = whole && len(s.getTree.hidden) == 0
	altered := s.dirtied != before
	s.mu.Unlock()
	s.changes.add(changes...)
	if altered {
		s.journal.Wake()
	}
	return whole
}

// tellLocked is reconcileLocked for a part of the tree.
func (s *Store) tellLocked(lines []remote.Event, began uint64) (changed []Changed, whole bool) {
	var part remote.MediaTree
	for _, e := range lines {
		switch {
		case e.Gone:
		case e.Kind == "directory":
			part.Dirs = append(part.Dirs, remote.MediaDir{ID: e.ID, Parent: e.Parent, Name: e.Name, Version: e.Version})
		default:
			part.Files = append(part.Files, remote.MediaFile{ID: e.ID, Parent: e.Parent, Name: e.Name, SizeKB: e.SizeKB, Bytes: e.Bytes,
				SHA256: e.SHA256, URL: e.URL, Version: e.Version})
		}
	}
	part.Dirs = parentsFirst(part.Dirs)
	return s.reconciled(&reconciliation{Store: s, began: began, answer: part, lines: lines})
}

// parentsFirst orders directories as GetTree does.
func parentsFirst(dirs []remote.MediaDir) (ordered []remote.MediaDir) {
	left := make(map[int64]remote.MediaDir, len(dirs))
	for _, d := range dirs {
		left[d.ID] = d
	}
	var place func(id int64)
	place = func(id int64) {
		if d, ok := left[id]; ok {
			delete(left, id)
			place(d.Parent)
			ordered = append(ordered, d)
		}
	}
	for _, d := range dirs {
		place(d.ID)
	}
	return ordered
}
