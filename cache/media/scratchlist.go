package media

import (
	"maps"
	"path"
	"slices"
	"time"

	"paperfs/cache/media/tree"
)

// LocalName is a name that stays on this machine; for a directory, with all
// that is in it.
type LocalName struct {
	Path  string    // below media/
	Kind  FileKind  // of the name itself
	Files int       // in a directory, at any depth; else 1
	Size  int64     // of their content
	Since time.Time // it is here, a directory with the oldest thing in it
	ino   Ino
}

// StaysHere reports whether a name is one that stays on this machine, as the name of
// comm's file (see localname.CommMatters), where sibling tells which names are there.
func (s *Store) StaysHere(name, comm string, sibling func(name string) bool) bool {
	return s.o.Names.Local(name, comm, sibling)
}

// Scratch reports whether what comm's program names so in a directory stays here.
func (s *Store) Scratch(dir Ino, name, comm string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d := s.nodes[dir]
	return d != nil && s.scratchLocked(d, name, comm)
}

// LocalNames lists what stays here, by path, without what is in a directory that
// stays here itself. It asks nothing.
func (s *Store) LocalNames() []LocalName {
	s.mu.RLock()
	list := localNames(s.root, nil)
	s.mu.RUnlock()
	var files []Ino
	for _, l := range list {
		if l.Kind == File {
			files = append(files, l.ino)
		}
	}
	if born := s.spools.Born(files...); len(born) > 0 {
		for i, l := range list {
			if at, ok := born[l.ino]; ok && at.Before(l.Since) {
				list[i].Since = at
			}
		}
	}
	return list
}

// SpoolDir is where the content of what stays here is.
func (s *Store) SpoolDir() string { return s.spools.Path }

// localNames adds those below a directory to a list.
func localNames(dir *tree.Node, list []LocalName) []LocalName {
	for _, name := range slices.Sorted(maps.Keys(dir.Children)) {
		switch n := dir.Children[name]; {
		case n.Local():
			l := LocalName{Path: path.Join(dir.Path(), name), Kind: n.Kind, Since: n.Ctime.Time(), ino: n.Ino}
			l.add(n)
			list = append(list, l)
		case n.Kind == Directory:
			list = localNames(n, list)
		}
	}
	return list
}

// add counts a node, and what is in it.
func (l *LocalName) add(n *tree.Node) {
	if t := n.Ctime.Time(); t.Before(l.Since) {
		l.Since = t
	}
	if n.Kind != Directory {
		l.Files++
		l.Size += n.Size
		return
	}
	for _, child := range n.Children {
		l.add(child)
	}
}
