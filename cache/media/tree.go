package media

import (
	"strings"

	"paperfs/cache/media/refusal"
)

// directoryLocked finds an open directory; s.mu must be held.
func (s *Store) directoryLocked(ino Ino) (*node, error) {
	n := s.nodes[ino]
	switch {
	case n == nil:
		return nil, refusal.NoSuchFile("")
	case n.kind != Directory:
		return nil, &Error{Kind: NotDirectory, Name: n.name, Detail: "not a directory"}
	}
	return n, nil
}

// free checks that a name can be made in dir, as a local one or one for the
// service; s.mu must be held.
func (dir *node) free(name string, local bool) error {
	if dir.children[name] != nil {
		return refusal.NameTaken(name)
	}
	return dir.clashes(name, local, nil)
}

// findLocked is the node at a path below media/, nil where there is none; s.mu must be
// held.
func (s *Store) findLocked(path string) *node {
	n := s.root
	for name := range strings.SplitSeq(path, "/") {
		if name != "" && n != nil {
			n = n.children[name]
		}
	}
	return n
}

// clashes checks that no other file of dir but the one excepted differs from
// name in case only; s.mu must be held.
func (dir *node) clashes(name string, local bool, except *node) error {
	if local {
		return nil
	}
	folded := fold(name)
	for _, other := range []*node{dir.children[folded], dir.folded[folded]} {
		if other != nil && !other.local() && other != except && other.name != name {
			return refusal.CaseClash(name, other.name)
		}
	}
	return nil
}

// childLocked finds a name in a directory; s.mu must be held.
func (s *Store) childLocked(dir Ino, name string) (*node, error) {
	d, err := s.directoryLocked(dir)
	if err != nil {
		return nil, err
	}
	if n := d.children[name]; n != nil {
		return n, nil
	}
	return nil, refusal.NoSuchFile(name)
}

// scratchLocked reports whether what comm makes as name in dir stays local; Store.mu
// must be held.
func (s *Store) scratchLocked(dir *node, name, comm string) bool {
	return dir.local() || s.o.Names.Local(name, comm, func(other string) bool { return dir.children[other] != nil })
}

// placeForLocked checks that something called name can be made in a directory, and
// tells whether it stays local; s.mu must be held.
func (s *Store) placeForLocked(dir Ino, name, comm string) (d *node, local bool, err error) {
	if d, err = s.directoryLocked(dir); err != nil {
		return nil, false, err
	}
	if d.parent == nil && d != s.root {
		return nil, false, refusal.NoSuchFile(name)
	}
	if local = s.scratchLocked(d, name, comm); !local {
		err = checkName(name)
	} else if len(name) > longestName {
		err = &Error{Kind: TooLong, Name: name, Detail: "the name is longer than 255 bytes"}
	}
	if err != nil {
		return nil, false, err
	}
	return d, local, d.free(name, local)
}
