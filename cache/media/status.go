package media

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// Status summarizes the store.
type Status struct {
	Files      int   // at the service
	Local      int   // scratch files, links and directories, which are never sent
	Writing    int   // files with unsent content that is not queued
	Waiting    int   // closed and queued
	Failed     int   // entries in failed/
	SpoolBytes int64 // bytes of all content that is not at the service
	FetchError error // of the last GetTree
	Barred     error // why the service rejects the account, if that blocks the queue; else nil
	Waits      error // why the whole queue waits; nil if it does not
}

// Status returns the present status. It makes no request.
func (s *Store) Status() Status {
	st := Status{Failed: len(s.Failures.List()), SpoolBytes: s.Room.Used()}
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	st.FetchError = cmp.Or(s.GetTree.Err, s.GetTree.NotOffered)
	if st.Waiting = s.Outbox.Len() + s.PDFQueue.Len(); st.Waiting > 0 {
		st.Barred, st.Waits = s.Barred, cmp.Or(s.Outbox.Blocked(), s.PDFQueue.Blocked())
	}
	for _, n := range s.Nodes {
		switch {
		case n.InPapers(s.Papers): // see WritingPDFs
		case n.Stray():
			st.Writing++
		case n == s.Root || n.Parent == nil:
		case n.Local():
			st.Local++
		case n.Queued(), n.Kind == Directory:
		case n.Dirty() || n.Pub.ID == 0:
			st.Writing++
		default:
			st.Files++
		}
	}
	return st
}

// Download is content that is being downloaded.
type Download struct {
	Place string // from the mount's root
	Here  int64  // bytes that are on this machine
	Size  int64  // -1: not known yet
}

// Downloads lists downloads in progress by place.
func (s *Store) Downloads() (list []Download) {
	for _, d := range s.Reads.Downloads() {
		list = append(list, Download{d.Version.Place(), d.Here, d.Size})
	}
	slices.SortFunc(list, func(a, b Download) int { return strings.Compare(a.Place, b.Place) })
	return list
}

// Space returns how much can still be written, for statfs.
func (s *Store) Space() disk.Space {
	space, err := s.Room.Space()
	if err != nil && !s.Lost() {
		s.o.Log.Error("cannot determine the free space of the spool", "error", err)
	}
	return space
}

// LocalName is a name that stays on this machine. A directory includes everything in it.
type LocalName struct {
	Path  string    // below media/
	Kind  FileKind  // of the named file or directory
	Files int       // number of files in a directory, at any depth; otherwise 1
	Size  int64     // bytes of their content
	Since time.Time // creation time; of a directory that of its oldest entry
	spool uint64    // its serial, 0 if there is none
}

// Scratch reports whether a file that program comm calls name in a directory stays on this
// machine.
func (s *Store) Scratch(dir Ino, name, comm string) bool {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	if d := s.Nodes[dir]; d != nil {
		return s.ScratchLocked(d, name, comm)
	}
	return s.o.Names.Local(name, comm, func(string) bool { return false })
}

// LocalNames lists the local names by path, without the contents of local directories. It makes
// no request.
func (s *Store) LocalNames() []LocalName {
	s.Mu.RLock()
	list := append(localNames(s.Root, nil), localNames(s.Papers, nil)...)
	s.Mu.RUnlock()
	for i, l := range list {
		if at, ok := spool.Born(s.Spools.PathOf(l.spool)); ok && at.Before(l.Since) {
			list[i].Since = at
		}
	}
	return list
}

// SpoolDir is the directory with the content of local files.
func (s *Store) SpoolDir() string { return s.Spools.Path }

// localNames appends the local names below dir to list.
func localNames(dir *tree.Node, list []LocalName) []LocalName {
	for _, name := range slices.Sorted(maps.Keys(dir.Children)) {
		switch n := dir.Children[name]; {
		case n.Local():
			l := LocalName{Path: path.Join(dir.Path(), name), Kind: n.Kind, Since: n.Ctime.Time(), spool: n.Draft}
			l.add(n)
			list = append(list, l)
		case n.Kind == Directory:
			list = localNames(n, list)
		}
	}
	return list
}

// add counts a node and its contents.
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
