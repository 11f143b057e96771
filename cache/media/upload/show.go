package upload

import (
	"cmp"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
	"paperfs/cache/media/names"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// RecordUploadLocked records the service's answer to an upload; the name must be locked. The
// uploaded content is n's; n is nil if others took the name in the meantime, and then the next
// GetTree tells whose it is. f is the frozen local content, or nil. Tree.Mu must be held, and
// Body.Mu of n unless f is nil. The caller must call SaveLocked.
func (s *Uploader) RecordUploadLocked(n *tree.Node, here waiter.Name, f *body.Frozen, up remote.Upload) {
	s.names.DropNoteLocked(here)
	if n != nil && n.Parent != nil {
		s.names.RecordVersionLocked(n, up)
	} else {
		s.names.GetTree.Stale = true
	}
	if f != nil {
		s.bodies.RecordSentLocked(n, f.Gen, up)
	}
}

// ShowLocked shows what was uploaded to a name, with its time, by the name's inode or by one for by;
// Tree.Mu must be held. It returns the number of the change, as SaveLocked does.
func (s *Uploader) ShowLocked(at names.Target, by inode.New, modTime inode.Instant, up remote.Upload) uint64 {
	n := at.Dir.Children[at.Name]
	if at.Dir.Parent == nil && at.Dir != s.names.Root || n != nil && n.Kind != inode.File {
		s.RecordUploadLocked(nil, at.Here(), nil, up)
		return s.names.Dirtied
	}
	if n == nil {
		n = s.names.NewNodeLocked(inode.File, by.Mode, by.UID, by.GID)
		s.names.LinkLocked(at.Dir, at.Name, n)
		s.names.Changes.Tell(names.Changed{Dir: at.Dir.Ino, Entries: []string{at.Name}})
	} else {
		n = s.names.InodeForLocked(n)
	}
	if !n.Dirty() {
		n.Mtime = modTime
	}
	s.RecordUploadLocked(n, at.Here(), nil, up)
	n.Pub.ModTime = modTime
	return s.names.SaveLocked(n)
}

// ShowSentOfLocked is ShowLocked for content of src, which does not have the name.
func (s *Uploader) ShowSentOfLocked(at names.Target, src *tree.Node, up remote.Upload) uint64 {
	return s.ShowLocked(at, inode.New{Mode: uint32(src.Mode), UID: src.UID, GID: src.GID}, cmp.Or(src.Pub.ModTime, src.Mtime), up)
}
