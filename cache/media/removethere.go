package media

import (
	"context"
	"math"

	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
)

// deleteThere deletes n, which has a name here, at the service. What a tree that
// is read meanwhile says of n is not taken over: until forgetFile, with a change
// of names here, n stays where it is.
func (s *Store) deleteThere(ctx context.Context, n *tree.Node, dir Ino, name string, id int64) error {
	s.mu.Lock()
	if !n.Named(dir, name) {
		s.mu.Unlock()
		return refusal.NoSuchFile(name)
	}
	n.Own().Changed = underWay
	s.mu.Unlock()
	err := s.o.Service.DeleteFile(ctx, id)
	if err != nil {
		s.mu.Lock()
		s.serial++
		n.Own().Changed = s.serial
		s.mu.Unlock()
	}
	return err
}

// underWay is the number of a change at the service that is not over yet.
const underWay = math.MaxUint64

// forgetFileLocked notes that n was deleted at the service; s.mu must be held.
func (s *Store) forgetFileLocked(n *tree.Node, id int64) {
	s.serial++
	s.removed[id], n.Own().Changed = s.serial, s.serial
	delete(s.files, id)
}
