package media

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"paperfs/cache/content/tree"
)

// keepBeside gives n the name "NAME (conflict DATE).EXT", with Options.CopyBeside, if others have put
// another version under its name: the name shows that, already or from now on. It reports whether it
// did. Programs that have n open go on with it, and its content is published, or stays queued, under the
// new name.
func (s *Store) keepBeside(n *tree.Node) bool {
	b := n.Body()
	b.Mu.RLock()
	torn := b.Verdict().Final
	b.Mu.RUnlock()
	if torn || !s.o.CopyBeside || n.PDF != nil {
		return false
	}
	s.mu.Lock()
	dir, name, old := n.Parent, n.Name, n.LastPath()
	switch {
	case n.Local():
		dir = nil
	case n.Theirs.ID != 0 && dir != nil:
		s.yieldNameLocked(n)
	case s.hidesLocked(n):
		n.Detach()
	case replacedLocked(n):
		dir, name = s.unpartLocked(n)
	default:
		dir = nil
	}
	if dir == nil {
		s.mu.Unlock()
		return false
	}
	beside := nameBeside(dir, name, s.o.Now())
	n.Pub, n.Own().Theirs = tree.Version{}, tree.Version{}
	s.linkLocked(dir, beside, n)
	s.changes.add(Changed{Dir: dir.Ino, Entries: []string{name, beside}})
	id := int64(0)
	if theirs := dir.Children[name]; theirs != nil {
		id = theirs.Pub.ID
	}
	s.mu.Unlock()
	s.o.Report(operations[File], old, id, errors.New("somebody else has changed it on the service, or `paperfs undo` has, since this content was begun, so this content is published as "+beside))
	return true
}

// yieldNameLocked gives the name of n to a new inode with the version that others have put there; s.mu
// must be held.
func (s *Store) yieldNameLocked(n *tree.Node) {
	dir, name := n.Parent, n.Name
	s.detachSidecarsLocked(n)
	theirs := s.heirLocked(n)
	s.unindexLocked(n)
	n.Detach()
	s.linkLocked(dir, name, theirs)
	s.indexLocked(theirs)
}

// unpartLocked makes n, which has content that is not published because others have replaced n, a file
// that can be published again. It returns where n was, or nil if that directory is gone; s.mu must be held.
func (s *Store) unpartLocked(n *tree.Node) (dir *tree.Node, name string) {
	in, name := path.Split(n.Lost)
	dir = s.findLocked(in)
	if dir == nil || dir.Kind != Directory || dir.Local() {
		return nil, name
	}
	n.On(tree.Shown)
	n.Own().Lost, n.Own().Why, n.Own().Told = "", tree.Verdict{}, false
	return dir, name
}

// nameBeside returns a free name for content that cannot have name in dir; Store.mu must be held.
func nameBeside(dir *tree.Node, name string, now time.Time) string {
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	if stem == "" {
		stem, ext = name, ""
	}
	for i := 1; ; i++ {
		mark := now.Format(" (conflict 2006-01-02)")
		if i > 1 {
			mark = now.Format(" (conflict 2006-01-02") + fmt.Sprintf(" %d)", i)
		}
		beside := tree.Shorten(stem, tree.LongestName-len(mark)-len(ext)) + mark + ext
		if dir.Free(beside, false) == nil {
			return beside
		}
	}
}
