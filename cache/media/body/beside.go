package body

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
)

// KeepBeside gives n the name "NAME (conflict DATE).EXT", with Options.CopyBeside, if others have put
// another version under its name: the name shows that, already or from now on. It reports whether it
// did. Programs that have n open go on with it, and its content is published, or stays queued, under the
// new name.
func (s *Bodies) KeepBeside(n *tree.Node) bool {
	b := n.Body()
	b.Mu.RLock()
	torn := b.Verdict().Final
	b.Mu.RUnlock()
	if torn || !s.o.CopyBeside || n.PDF != nil {
		return false
	}
	s.names.Mu.Lock()
	dir, name, old := n.Parent, n.Name, n.LastPath()
	switch {
	case n.Local():
		dir = nil
	case n.Theirs.ID != 0 && dir != nil:
		s.names.YieldNameLocked(n)
	case s.reconciler.HidesLocked(n):
		n.Detach()
	case names.ReplacedLocked(n):
		dir, name = s.names.ReattachLocked(n)
	default:
		dir = nil
	}
	if dir == nil {
		s.names.Mu.Unlock()
		return false
	}
	beside := nameBeside(dir, name, s.o.Now())
	n.Pub, n.Own().Theirs = tree.Version{}, tree.Version{}
	s.names.LinkLocked(dir, beside, n)
	s.names.Changes.Tell(names.Changed{Dir: dir.Ino, Entries: []string{name, beside}})
	id := int64(0)
	if theirs := dir.Children[name]; theirs != nil {
		id = theirs.Pub.ID
	}
	s.names.Mu.Unlock()
	s.o.Report(names.Operations[inode.File], old, id, errors.New("somebody else has changed it on the service, or `paperfs undo` has, since this content was begun, so this content is published as "+beside))
	return true
}

// nameBeside returns a free name for content that cannot have name in dir; Tree.Mu must be held.
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
