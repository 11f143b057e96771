package media

import (
	"strings"

	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
)

// directoryLocked finds an open directory; s.mu must be held.
func (s *Store) directoryLocked(ino Ino) (*tree.Node, error) {
	n := s.nodes[ino]
	switch {
	case n == nil:
		return nil, refusal.NoSuchFile("")
	case n.Kind != Directory:
		return nil, &Error{Kind: NotDirectory, Name: n.Name, Detail: "not a directory"}
	}
	return n, nil
}

// findLocked is the node at a path below media/, nil where there is none; s.mu must be
// held.
func (s *Store) findLocked(path string) *tree.Node {
	n := s.root
	for name := range strings.SplitSeq(path, "/") {
		if name != "" && n != nil {
			n = n.Children[name]
		}
	}
	return n
}

// childLocked finds a name in a directory; s.mu must be held.
func (s *Store) childLocked(dir Ino, name string) (*tree.Node, error) {
	d, err := s.directoryLocked(dir)
	if err != nil {
		return nil, err
	}
	if n := d.Children[name]; n != nil {
		return n, nil
	}
	return nil, refusal.NoSuchFile(name)
}

// scratchLocked reports whether what comm makes as name in dir stays local; Store.mu
// must be held.
func (s *Store) scratchLocked(dir *tree.Node, name, comm string) bool {
	return dir.Local() || s.o.Names.Local(name, comm, func(other string) bool { return dir.Children[other] != nil })
}

// placeForLocked checks that something called name can be made in a directory, and
// tells whether it stays local; s.mu must be held.
func (s *Store) placeForLocked(dir Ino, name, comm string) (d *tree.Node, local bool, err error) {
	if d, err = s.directoryLocked(dir); err != nil {
		return nil, false, err
	}
	if d.Parent == nil && d != s.root {
		return nil, false, refusal.NoSuchFile(name)
	}
	if local = s.scratchLocked(d, name, comm); !local {
		err = tree.CheckName(name)
	} else if len(name) > tree.LongestName {
		err = &Error{Kind: TooLong, Name: name, Detail: "the name is longer than 255 bytes"}
	}
	if err != nil {
		return nil, false, err
	}
	return d, local, d.Free(name, local)
}
