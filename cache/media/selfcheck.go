package media

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"paperfs/cache/media/check"
	"paperfs/cache/media/journal"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
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
	wrong := check.Queue(s.outbox.List())
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
	return check.Node(n, b, check.Facts{Root: n == s.root, Found: s.files[n.Pub.ID] == n, MayBeFinalizing: s.finalizing > 0 || s.closed || !s.outbox.Idle()})
}

// checkDisk returns where tables and files contradict memory. Nothing may use the store in the
// meantime, and everything must be written.
func (s *Store) checkDisk() error {
	return errors.Join(s.checkRows(), s.checkSpools(), check.Failed(s.failures.Dir, s.failures.List()))
}

func (s *Store) checkRows() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	needed := make(map[int64]bool)
	for _, n := range s.nodes {
		if number := journal.BlockOf(n.Ino); n.Parent != nil && number != journal.BlockOf(Root) { // the root is written together with the first other node
			needed[number] = true
		}
	}
	return check.Rows(s.o.State.DB(), needed, func(block int64) []byte { return s.blockLocked(nil, block) })
}

func (s *Store) checkSpools() error {
	used := make(map[string]bool)
	s.mu.RLock()
	nodes := maps.Clone(s.nodes)
	s.mu.RUnlock()
	for _, n := range nodes {
		if n.Kind != File {
			continue
		}
		b := n.Body()
		b.Mu.RLock()
		for _, sp := range []*spool.File{b.Spool, b.Pending} {
			if sp != nil {
				used[filepath.Base(sp.Path)] = true
			}
		}
		b.Mu.RUnlock()
	}
	return check.Spools(s.spools.Path, used, func(ino Ino) bool { return nodes[ino] != nil && nodes[ino].Parent != nil })
}
