package media

import (
	"context"

	"paperfs/cache/media/refusal"
)

// Late reports whether there are late changes: AwaitName and AwaitInode may have
// to wait.
func (s *Store) Late() bool { return s.places.late.Load() > 0 }

// AwaitName waits until no late change uses a name.
func (s *Store) AwaitName(ctx context.Context, dir Ino, name string) error {
	return s.places.awaitLate(ctx, place{dir, fold(name)})
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
	at, named := s.placeOf(n)
	if !named {
		return nil
	}
	if err := s.places.awaitLate(ctx, at); err != nil {
		return err
	}
	if now, still := s.placeOf(n); !still || now != at {
		return refusal.NoSuchFile("")
	}
	return nil
}

// lockNode locks the place where n is now. Where n has no name, unlock does
// nothing.
func (s *Store) lockNode(n *node) (unlock func()) {
	for {
		at, named := s.placeOf(n)
		if !named {
			return func() {}
		}
		unlock := s.places.lock(at)
		if now, still := s.placeOf(n); still && now == at {
			return unlock
		}
		unlock() // it was renamed while we waited
	}
}

func (s *Store) placeOf(n *node) (place, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.parent == nil {
		return place{}, false
	}
	return place{n.parent.ino, fold(n.name)}, true
}
