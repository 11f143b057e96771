package tree

import (
	"paperfs/cache/media/inode"
	"paperfs/cache/media/refusal"
)

// Free checks that a name can be made in dir, as a local one or one for the
// service; s.mu must be held.
func (dir *Node) Free(name string, local bool) error {
	if dir.Children[name] != nil {
		return refusal.NameTaken(name)
	}
	return dir.Clashes(name, local, nil)
}

// Clashes checks that no other file of dir but the one excepted differs from
// name in case only; s.mu must be held.
func (dir *Node) Clashes(name string, local bool, except *Node) error {
	if local {
		return nil
	}
	folded := Fold(name)
	for _, other := range []*Node{dir.Children[folded], dir.Folded[folded]} {
		if other != nil && !other.Local() && other != except && other.Name != name {
			return refusal.CaseClash(name, other.Name)
		}
	}
	return nil
}

// Has reports whether something in dir has a name.
func (dir *Node) Has(name string) bool { return dir.Children[name] != nil }

// HasFile reports whether a file in dir has a name.
func (dir *Node) HasFile(name string) bool {
	n := dir.Children[name]
	return n != nil && n.Kind == inode.File
}

// HasQueued reports whether something in a directory waits to be sent.
func (dir *Node) HasQueued() bool {
	for _, n := range dir.Children {
		if n.Queued() || n.HasQueued() {
			return true
		}
	}
	return false
}
