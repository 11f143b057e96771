package names

import (
	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// ForgetFileLocked records that n was deleted at the service; Mu must be held.
func (s *Tree) ForgetFileLocked(n *tree.Node, id int64) {
	s.ChangedLocked(n)
	s.DeletedFiles[id] = s.Serial
	if successor := s.Files[id]; successor == n {
		delete(s.Files, id)
	} else if successor != nil { // its name no longer refers to n: the next GetTree says whether it is there again
		successor.Own().Changed, s.GetTree.Stale = s.Serial, true
	}
}

// RecordVersionLocked records the version of n that up describes; Mu must be held.
func (s *Tree) RecordVersionLocked(n *tree.Node, up remote.Upload) {
	s.ChangedLocked(n)
	s.ClaimIDLocked(n, up.FileID)
	url := tree.AddressOf(up.URL, up.FileID, n.Name)
	if !url.Known() && n.Pub.ID == up.FileID {
		url = n.Pub.URL
	}
	v := VersionOf(up)
	v.URL, v.ModTime = url, n.Mtime
	s.VersionsLocked(n, v, tree.Version{})
}

// VersionOf returns the version that an upload made, without its address and time.
func VersionOf(up remote.Upload) tree.Version {
	return tree.Version{ID: up.FileID, Size: up.Size, KB: (up.Size + 1023) / 1024, SHA256: inode.DigestOf(up.SHA256), Mark: up.Version}
}

// ClaimIDLocked removes another node that stands for the service's file id: a GetTree has added
// it under another spelling while n was being sent. The next GetTree gives n that spelling;
// Mu must be held.
func (s *Tree) ClaimIDLocked(n *tree.Node, id int64) {
	other := s.Files[id]
	if other == nil || other == n || other.Parent == nil {
		return
	}
	s.GetTree.Stale = true
	s.Changes.Tell(s.LoseLocked(other)...)
}

// MadeLocked records the service's id of directory n; Mu must be held. If another directory
// has that id, a backup of the service was restored: the next GetTree removes that directory,
// or it is created again for content in it.
func (s *Tree) MadeLocked(n *tree.Node, id int64) {
	if other := s.Dirs[id]; other != nil && other != n {
		other.ID = 0
		s.SaveLocked(other)
		s.GetTree.Stale = true
	}
	n.ID = id
	s.IndexLocked(n)
	s.ChangedLocked(n)
}

// ChangedLocked records that this mount has just changed n at the service, so that no older answer of GetTree undoes that; Mu must be held.
func (s *Tree) ChangedLocked(n *tree.Node) {
	s.Serial++
	n.Own().Changed = s.Serial
}

// ForgetDirLocked records that a directory was deleted at the service; Mu must be held.
func (s *Tree) ForgetDirLocked(id int64) {
	s.Serial++
	s.DeletedDirs[id] = s.Serial
	delete(s.Dirs, id)
}
