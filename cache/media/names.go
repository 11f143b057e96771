package media

import (
	"context"

	"paperfs/cache/media/namelock"
	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
)

// Late reports whether there are late changes: AwaitName and AwaitInode may have
// to wait.
func (s *Store) Late() bool { return s.names.Late.Load() > 0 }

// AwaitName waits until no late change uses a name.
func (s *Store) AwaitName(ctx context.Context, dir Ino, name string) error {
	return s.names.AwaitLate(ctx, namelock.Of(dir, name))
}

// AwaitInode waits until no late change uses the name of an inode. It finds
// nothing where that has another name, or none, afterwards.
func (s *Store) AwaitInode(ctx context.Context, ino Ino) error {
	s.mu.RLock()
	n := s.nodes[ino]
	s.mu.RUnlock()
	if n == nil {
		return nil
	}
	at, named := s.nameOf(n)
	if !named {
		return nil
	}
	if err := s.names.AwaitLate(ctx, at); err != nil {
		return err
	}
	if now, still := s.nameOf(n); !still || now != at {
		return refusal.NoSuchFile("")
	}
	return nil
}

// lockNode locks the name that n has now. Where n has no name, unlock does
// nothing.
func (s *Store) lockNode(n *tree.Node) (unlock func()) {
	for {
		at, named := s.nameOf(n)
		if !named {
			return func() {}
		}
		unlock := s.names.Lock(at)
		if now, still := s.nameOf(n); still && now == at {
			return unlock
		}
		unlock() // it was renamed while we waited
	}
}

func (s *Store) nameOf(n *tree.Node) (namelock.Name, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.Parent == nil {
		return namelock.Name{}, false
	}
	return namelock.Of(n.Parent.Ino, n.Name), true
}
