package media

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"paperfs/cache/content/tree"
)

// Check returns the inconsistencies in memory. A change in progress makes some temporarily, so
// it repeats the check for up to a second.
func (s *Store) Check(ctx context.Context) error {
	const looks, apart = 5, 200 * time.Millisecond
	for range looks {
		if s.check() == nil {
			return nil
		}
		select {
		case <-time.After(apart):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.check()
}

// check returns the inconsistencies in memory.
func (s *Store) check() error {
	s.mu.RLock()
	nodes := slices.Collect(maps.Values(s.nodes))
	wrong := tree.CheckQueue(append(s.outbox.List(), s.pdfs.List()...))
	s.mu.RUnlock()
	for _, n := range nodes {
		wrong = append(wrong, s.checkNode(n)...)
	}
	return errors.Join(wrong...)
}

func (s *Store) checkNode(n *tree.Node) []error {
	var b *tree.Body
	if n.Kind == File {
		b = n.Body()
		b.Mu.RLock()
		defer b.Mu.RUnlock()
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.nodes[n.Ino] != n {
		return nil
	}
	return tree.CheckNode(n, b, tree.Facts{Root: n == s.root, Found: s.files[n.Latest().ID] == n, MayBeFinalizing: s.finalizing > 0 || s.closed || !s.outbox.Idle() || !s.pdfs.Idle()})
}
