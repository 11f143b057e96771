package media

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"time"

	"paperfs/cache/media/disk"
	"paperfs/cache/media/tree"
)

// Status tells the store's numbers.
type Status struct {
	Files, Directories int   // at the service
	Local              int   // scratch files, links and directories, which never go there
	LocalBytes         int64 // in them
	Writing            int   // being written, not yet published as shown
	Waiting            int   // closed and waiting to be sent
	Failed             int   // in failed/
	SpoolBytes         int64 // of all content that is kept because it is not at the service

	Fetched    time.Time // when the media tree was last asked for; zero: never
	Offered    bool      // the service gives a media tree, as far as is known
	LeftOut    int       // names in it that cannot be shown
	FetchError error     // of the last GetTree
	Barred     error     // why the queue waits because the account is not let in; nil where it is
	Waits      error     // why the whole queue waits; nil where it does not
}

// Status is the store's state now. It asks nothing.
func (s *Store) Status() Status {
	st := Status{Failed: len(s.failures.List()), SpoolBytes: s.room.Used()}
	s.mu.RLock()
	defer s.mu.RUnlock()
	st.Fetched, st.Offered, st.LeftOut, st.FetchError = s.tree.fetched, !s.tree.notOffered, s.tree.unshown, s.tree.err
	if st.Waiting = s.outbox.Len() + s.drafts.Outbox.Len(); st.Waiting > 0 {
		st.Barred, st.Waits = s.barred, cmp.Or(s.outbox.Blocked(), s.drafts.Outbox.Blocked())
	}
	for _, n := range s.nodes {
		switch {
		case n == s.root || n.Parent == nil:
		case n.Local():
			st.Local++
			st.LocalBytes += n.Size
		case n.Queued():
		case n.Kind == Directory:
			st.Directories++
		case n.Dirty() || n.Pub.ID == 0:
			st.Writing++
		default:
			st.Files++
		}
	}
	return st
}

// Space is what can still be written here, for statfs.
func (s *Store) Space() disk.Space {
	space, err := s.room.Space()
	if err != nil {
		s.o.Log.Error("asking for the free space of the spool", "error", err)
	}
	return space
}

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
