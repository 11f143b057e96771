package media

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"paperfs/cache/content/tree"
)

// keepBeside gives the name of n to the version that others have put there, and n the name
// "NAME (conflict DATE).EXT" beside it, with Options.CopyBeside. It reports whether it did. Programs
// that have n open go on with it, and its content is published, or stays queued, under the new name.
func (s *Store) keepBeside(n *tree.Node) bool {
	s.mu.Lock()
	if !s.o.CopyBeside || n.Theirs.ID == 0 || n.Parent == nil || n.Local() {
		s.mu.Unlock()
		return false
	}
	dir, name, old := n.Parent, n.Name, n.Path()
	beside := nameBeside(dir, name, s.o.Now())
	s.detachSidecarsLocked(n)
	theirs := s.heirLocked(n)
	s.unindexLocked(n)
	n.Detach()
	n.Pub, n.Own().Theirs = tree.Version{}, tree.Version{}
	s.linkLocked(dir, name, theirs)
	s.indexLocked(theirs)
	s.linkLocked(dir, beside, n)
	s.changes.add(Changed{Dir: dir.Ino, Entries: []string{name, beside}})
	id := theirs.Pub.ID
	s.mu.Unlock()
	s.o.Report(operations[File], old, id, errors.New("somebody else has changed it on the service since this content was begun, so this content is published as "+beside))
	return true
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
