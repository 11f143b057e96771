package media

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// Lookup finds a name in a directory. The very first call waits for GetTree; later ones make no
// request and do not wait.
func (s *Store) Lookup(ctx context.Context, dir Ino, name string) (Attr, error) {
	if err := s.AwaitIn(ctx, dir); err != nil {
		return Attr{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, err := s.directoryLocked(dir)
	if err != nil {
		return Attr{}, err
	}
	n := d.Children[name]
	if n == nil {
		return Attr{}, refusal.NoSuchFile(name)
	}
	return n.Attr(), nil
}

// List returns the entries of a directory. It waits as Lookup does.
func (s *Store) List(ctx context.Context, dir Ino) (Listing, error) {
	if err := s.AwaitIn(ctx, dir); err != nil {
		return Listing{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, err := s.directoryLocked(dir)
	if err != nil {
		return Listing{}, err
	}
	entries := make([]Entry, 0, len(d.Children))
	for name, n := range d.Children {
		entries = append(entries, Entry{Name: name, Ino: n.Ino, Kind: n.Kind, node: n})
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		if a.Ino != b.Ino {
			return cmp.Compare(a.Ino, b.Ino)
		}
		return strings.Compare(a.Name, b.Name)
	})
	for i := range entries {
		e := &entries[i]
		e.Offset = uint64(e.Ino) << namesBits
		if i > 0 && entries[i-1].Ino == e.Ino {
			e.Offset = entries[i-1].Offset + 1
		}
	}
	return Listing{Version: d.Version, Entries: entries}, nil
}

// Listed returns the attributes, without the path, of an entry that List returned for dir, and
// records that the kernel knows the inode. It makes no request, and fails with NotFound if the
// name refers to another inode by now.
func (s *Store) Listed(dir Ino, e *Entry) (Attr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := e.node
	if !n.Named(dir, e.Name) {
		return Attr{}, refusal.NoSuchFile(e.Name)
	}
	n.Known = true
	return n.Pathless(), nil
}

// Stat returns the attributes of an inode that has a name or an open handle. It makes no
// request.
func (s *Store) Stat(ino Ino) (Attr, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.nodes[ino]
	if n == nil {
		return Attr{}, refusal.NoSuchFile("")
	}
	if n.Handles == 0 && s.staleLocked(n) {
		return n.Attr(), errLetGo
	}
	return n.Attr(), nil
}

// Find returns the attributes of a path below media/; "" is media/ itself. It waits as Lookup
// does.
func (s *Store) Find(ctx context.Context, path string) (Attr, error) {
	if err := s.Await(ctx); err != nil {
		return Attr{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.findLocked(path)
	if n == nil {
		return Attr{}, refusal.NoSuchFile(path)
	}
	return n.Attr(), nil
}

// PathOf returns the path from the mount's root of a file or directory by the service's id, "" if no name shows it.
func (s *Store) PathOf(id int64, dir bool) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.files[id]
	if dir {
		n = s.dirs[id]
	}
	if n == nil || n.Parent == nil {
		return ""
	}
	return "media/" + n.Path()
}

// SetAttr changes mode, owner or times. They are kept locally and never sent.
func (s *Store) SetAttr(ino Ino, c Change) (Attr, error) {
	if err := s.o.State.Whole(); err != nil {
		return Attr{}, err
	}
	s.mu.Lock()
	n := s.nodes[ino]
	if n == nil {
		s.mu.Unlock()
		return Attr{}, refusal.NoSuchFile("")
	}
	if c.Mode != nil {
		n.Mode = uint16(*c.Mode&0o7777 | tree.OwnMode)
	}
	set(&n.UID, c.UID)
	set(&n.GID, c.GID)
	setTime(&n.Atime, c.Atime)
	setTime(&n.Mtime, c.Mtime)
	if c.Mtime != nil && !n.Dirty() && !n.Local() {
		n.Pub.ModTime = n.Mtime
	}
	n.Ctime = s.now()
	s.saveAttrLocked(n)
	a, by, sent := n.Attr(), s.processor, n.IsPDF() && n.Pub.ID != 0 && !n.Dirty()
	s.mu.Unlock()
	if sent && c.Mtime != nil {
		return a, by.SetWritten(a.ID, *c.Mtime)
	}
	return a, nil
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

// Listing is a snapshot of a directory's entries.
type Listing struct {
	Version uint32 // of the directory; it changes whenever a name is added or removed
	Entries []Entry
}

// Entry is one name of a directory.
type Entry struct {
	// Offset orders the entries of a directory. It is above 1<<10, below 1<<OffsetBits, and
	// constant while the name exists.
	Offset uint64
	Name   string
	Ino    Ino
	Kind   FileKind
	node   *tree.Node
}

// An offset is the inode number, shifted left by namesBits, plus the index of the name among
// the inode's names in the directory.
const (
	namesBits  = 10
	OffsetBits = 47
)
