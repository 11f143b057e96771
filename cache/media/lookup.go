package media

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"paperfs/cache/media/inode"
	"paperfs/cache/media/refusal"
)

// Lookup finds a name in a directory. The first one of all waits for GetTree;
// later ones ask nothing and wait for nothing.
func (s *Store) Lookup(ctx context.Context, dir Ino, name string) (Attr, error) {
	if err := s.Await(ctx); err != nil {
		return Attr{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, err := s.directoryLocked(dir)
	if err != nil {
		return Attr{}, err
	}
	n := d.children[name]
	if n == nil {
		return Attr{}, refusal.NoSuchFile(name)
	}
	return n.attr(), nil
}

// List is what a directory holds. It waits as Lookup does.
func (s *Store) List(ctx context.Context, dir Ino) (Listing, error) {
	if err := s.Await(ctx); err != nil {
		return Listing{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, err := s.directoryLocked(dir)
	if err != nil {
		return Listing{}, err
	}
	entries := make([]Entry, 0, len(d.children))
	for name, n := range d.children {
		entries = append(entries, Entry{Name: name, Ino: n.ino, Kind: n.kind, node: n})
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		if a.Ino != b.Ino {
			return cmp.Compare(a.Ino, b.Ino)
		}
		return strings.Compare(a.Name, b.Name)
	})
	for i := range entries {
		e := &entries[i]
		e.Place = uint64(e.Ino) << namesBits
		if i > 0 && entries[i-1].Ino == e.Ino {
			e.Place = entries[i-1].Place + 1
		}
	}
	return Listing{Version: d.version, Entries: entries}, nil
}

// Listed is what is known of an entry that List gave of dir, but for its path,
// and notes that the kernel knows it from now on. It asks nothing, and finds
// nothing where the name leads elsewhere meanwhile.
func (s *Store) Listed(dir Ino, e *Entry) (Attr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := e.node
	if !n.named(dir, e.Name) {
		return Attr{}, refusal.NoSuchFile(e.Name)
	}
	n.known = true
	return n.pathless(), nil
}

// Stat is what is known of an inode that has a name or an open handle. It asks
// nothing.
func (s *Store) Stat(ino Ino) (Attr, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.nodes[ino]
	if n == nil {
		return Attr{}, refusal.NoSuchFile("")
	}
	return n.attr(), nil
}

// Find is what is known of a path below media/, "" being media/ itself. It
// waits as Lookup does.
func (s *Store) Find(ctx context.Context, path string) (Attr, error) {
	if err := s.Await(ctx); err != nil {
		return Attr{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.root
	for name := range strings.SplitSeq(path, "/") {
		if name == "" {
			continue
		}
		if n = n.children[name]; n == nil {
			return Attr{}, refusal.NoSuchFile(path)
		}
	}
	return n.attr(), nil
}

// SetAttr changes mode, owner or times. That is kept here and never sent.
func (s *Store) SetAttr(ino Ino, c Change) (Attr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.nodes[ino]
	if n == nil {
		return Attr{}, refusal.NoSuchFile("")
	}
	if c.Mode != nil {
		n.mode = uint16(*c.Mode&0o7777 | ownMode)
	}
	set(&n.uid, c.UID)
	set(&n.gid, c.GID)
	setTime(&n.atime, c.Atime)
	setTime(&n.mtime, c.Mtime)
	if c.Mtime != nil && !n.dirty() && !n.local() {
		n.pub.modTime = n.mtime
	}
	n.ctime = s.now()
	s.keepAttrLocked(n)
	return n.attr(), nil
}

func set(to, from *int64) {
	if from != nil {
		*to = *from
	}
}

func setTime(to *inode.Instant, from *time.Time) {
	if from != nil {
		*to = inode.InstantOf(*from)
	}
}

// Listing is a directory's entries as they were at one time.
type Listing struct {
	Version uint32 // of the directory: another one with each name that comes or goes
	Entries []Entry
}

// Entry is one name of a directory.
type Entry struct {
	// Place orders the entries of a directory. It is above 1<<10, below
	// 1<<PlaceBits, and the same for as long as the name is there.
	Place uint64
	Name  string
	Ino   Ino
	Kind  FileKind
	node  *node
}

// A place is an inode's number above the number of the name among those that the
// inode has in the directory.
const (
	namesBits = 10
	PlaceBits = 47
)
