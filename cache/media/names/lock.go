package names

import (
	"context"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
)

// Late reports whether late changes are in progress, so that AwaitName and AwaitInode may have
// to wait.
func (s *Tree) Late() bool { return s.Locks.Late() }

// AwaitName waits until no late change uses a name.
func (s *Tree) AwaitName(ctx context.Context, dir inode.Ino, name string) error {
	return s.Locks.AwaitLate(ctx, waiter.NameOf(dir, name))
}

// AwaitInode waits until no late change uses the name of an inode. It fails with NotFound if
// the inode has another name, or none, afterwards.
func (s *Tree) AwaitInode(ctx context.Context, ino inode.Ino) error {
	s.Mu.RLock()
	n := s.Nodes[ino]
	s.Mu.RUnlock()
	if n == nil {
		return nil
	}
	at, named := s.NameOf(n)
	if !named {
		return nil
	}
	if err := s.Locks.AwaitLate(ctx, at); err != nil {
		return err
	}
	if now, still := s.NameOf(n); !still || now != at {
		return refusal.NoSuchFile("")
	}
	return nil
}

// LockNode locks the present name of n and others, all at once. If n has no name, unlock does nothing. Of a PDF no name is
// locked, but its content.
func (s *Tree) LockNode(n *tree.Node, others ...waiter.Name) (unlock func()) {
	if s.Is(func() bool { return n.PDF != nil }) {
		n.Body().Load.Lock()
		return n.Body().Load.Unlock
	}
	for {
		at, named := s.NameOf(n)
		if !named {
			return func() {}
		}
		unlock := s.Locks.Lock(append(others, at)...)
		if now, still := s.NameOf(n); still && now == at {
			return unlock
		}
		unlock() // it was renamed in the meantime
	}
}

func (s *Tree) NameOf(n *tree.Node) (waiter.Name, bool) {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	if n.Parent == nil {
		return waiter.Name{}, false
	}
	return waiter.NameOf(n.Parent.Ino, n.Name), true
}
