package tree

import (
	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
)

// Free checks that name can be created in dir, either as a local name or for the service;
// Tree.Mu must be held.
func (dir *Node) Free(name string, local bool) error {
	if dir.Children[name] != nil {
		return refusal.NameTaken(name)
	}
	return dir.Clashes(name, local, nil)
}

// Clashes checks that no file of dir, other than except, differs from name only in case;
// Tree.Mu must be held.
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

// Has reports whether dir has an entry called name.
func (dir *Node) Has(name string) bool { return dir.Children[name] != nil }

// HasFile reports whether dir has a file called name.
func (dir *Node) HasFile(name string) bool {
	n := dir.Children[name]
	return n != nil && n.Kind == inode.File
}

// HasQueued reports whether anything below dir is queued.
func (dir *Node) HasQueued() bool {
	for _, n := range dir.Children {
		if n.Queued() || n.HasQueued() {
			return true
		}
	}
	return false
}
