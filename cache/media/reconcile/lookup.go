package reconcile

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/media/names"
)

// Lookup finds a name in a directory. The very first call waits for GetTree; later ones make no
// request and do not wait.
func (s *Reconciler) Lookup(ctx context.Context, dir inode.Ino, name string) (inode.Attr, error) {
	if err := s.AwaitIn(ctx, dir); err != nil {
		return inode.Attr{}, err
	}
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	d, err := s.names.DirectoryLocked(dir)
	if err != nil {
		return inode.Attr{}, err
	}
	n := d.Children[name]
	if n == nil {
		return inode.Attr{}, refusal.NoSuchFile(name)
	}
	return n.Attr(), nil
}

// List returns the entries of a directory. It waits as Lookup does.
func (s *Reconciler) List(ctx context.Context, dir inode.Ino) (names.Listing, error) {
	if err := s.AwaitIn(ctx, dir); err != nil {
		return names.Listing{}, err
	}
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	d, err := s.names.DirectoryLocked(dir)
	if err != nil {
		return names.Listing{}, err
	}
	entries := make([]names.Entry, 0, len(d.Children))
	for name, n := range d.Children {
		entries = append(entries, names.Entry{Name: name, Ino: n.Ino, Kind: n.Kind, Node: n})
	}
	slices.SortFunc(entries, func(a, b names.Entry) int {
		if a.Ino != b.Ino {
			return cmp.Compare(a.Ino, b.Ino)
		}
		return strings.Compare(a.Name, b.Name)
	})
	for i := range entries {
		e := &entries[i]
		e.Offset = uint64(e.Ino) << names.NamesBits
		if i > 0 && entries[i-1].Ino == e.Ino {
			e.Offset = entries[i-1].Offset + 1
		}
	}
	return names.Listing{Version: d.Version, Entries: entries}, nil
}

// Find returns the attributes of a path below media/; "" is media/ itself. It waits as Lookup
// does.
func (s *Reconciler) Find(ctx context.Context, path string) (inode.Attr, error) {
	if err := s.Await(ctx); err != nil {
		return inode.Attr{}, err
	}
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	n := s.names.FindLocked(path)
	if n == nil {
		return inode.Attr{}, refusal.NoSuchFile(path)
	}
	return n.Attr(), nil
}
