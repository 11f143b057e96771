package media

import (
	"context"

	"paperfs/cache/media/tree"
	"paperfs/cache/media/waiter"
)

// SetSize sets the length of a file by its inode. Where somebody has it open
// for writing, the new length is published with what is written there: open
// with O_TRUNC comes this way. Otherwise it is published at once, since no
// close will.
func (s *Store) SetSize(ctx context.Context, ino Ino, size int64) error {
	ctx = waiter.Begun(ctx)
	h, err := s.Open(ino, true)
	if err != nil {
		return err
	}
	defer h.Release()
	if s.unchanged(h.node, size) {
		if s.othersWrite(h.node) {
			s.emptied(h.node, size)
		}
		return nil
	}
	if size > 0 {
		if err := h.Load(ctx); err != nil {
			return err
		}
	}
	if err := h.Truncate(size); err != nil || s.stays(h.node) || s.othersWrite(h.node) {
		return err
	}
	if s.o.WriteBack {
		return s.queue(h.node)
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.work.Done()
	return s.publish(ctx, h.node, nil)
}

// othersWrite reports whether n is open for writing more than once.
func (s *Store) othersWrite(n *tree.Node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.Writers > 1
}
