package media

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"paperfs/cache/media/journal"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
)

// This file is about what must be so between memory, tables and files. Tests ask
// after what they do.

// invariant is what must be so of a node with its content, nil for what has none, while
// both are locked.
type invariant struct {
	words string
	met   func(s *Store, n *tree.Node, b *tree.Body) bool
}

var invariants = []invariant{
	{"what has no name was removed, and nothing else", func(s *Store, n *tree.Node, _ *tree.Body) bool {
		return n == s.root || (n.Parent == nil) == (n.State() == tree.Removed || n.State() == tree.Lost || n.State() == tree.Strayed)
	}},
	{"its directory has it under its name", func(_ *Store, n *tree.Node, _ *tree.Body) bool {
		return n.Parent == nil || n.Parent.Children[n.Name] == n
	}},
	{"it is queued as it says", func(_ *Store, n *tree.Node, _ *tree.Body) bool {
		return n.Queued() == (n.Delivery != nil) && (n.Delivery == nil || n.Delivery.Node == n)
	}},
	{"scratch is not at the service", func(_ *Store, n *tree.Node, _ *tree.Body) bool {
		return !n.Local() || !n.AtService()
	}},
	{"what the service has is found by its number", func(s *Store, n *tree.Node, _ *tree.Body) bool {
		return n.Parent == nil || n.Pub.ID == 0 || s.files[n.Pub.ID] == n
	}},
	{"what others deleted has the path that it had", func(_ *Store, n *tree.Node, _ *tree.Body) bool {
		return (n.Lost != "") == (n.State() == tree.Lost || n.State() == tree.Strayed)
	}},
	{"what is queued of a file is durable unless that has to wait", func(_ *Store, n *tree.Node, _ *tree.Body) bool {
		return n.Delivery == nil || n.Kind != File || (n.Delivery.Spool == 0) == (n.State() == tree.Stuck)
	}},
	{"what is queued is the content", func(_ *Store, n *tree.Node, b *tree.Body) bool {
		return n.Kind != File || n.State() != tree.Pending || b.AllQueued() && b.Closed.Serial == n.Delivery.Spool
	}},
	{"what is queued is there beside what was written since", func(_ *Store, n *tree.Node, b *tree.Body) bool {
		return n.State() != tree.Rewritten || b.Closed != nil && b.Closed != b.Spool && b.Closed.Serial == n.Delivery.Spool
	}},
	{"what was written is open, or somebody sees to it", func(s *Store, n *tree.Node, _ *tree.Body) bool {
		return n.State() != tree.Dirty || n.Handles > 0 || s.settling > 0 || s.closed || !s.outbox.Idle()
	}},
}

// Check tells what in memory contradicts itself, again and again: what a change makes
// true in steps is no contradiction. It looks for a second at most.
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

// check tells what in memory contradicts itself.
func (s *Store) check() error {
	s.mu.RLock()
	nodes := slices.Collect(maps.Values(s.nodes))
	wrong := s.checkQueueLocked()
	s.mu.RUnlock()
	for _, n := range nodes {
		wrong = append(wrong, s.checkNode(n)...)
	}
	return errors.Join(wrong...)
}

func (s *Store) checkNode(n *tree.Node) (wrong []error) {
	var b *tree.Body
	if n.Kind == File {
		b = n.Body()
		b.Mu.RLock()
		defer b.Mu.RUnlock()
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, r := range invariants {
		if s.nodes[n.Ino] == n && !r.met(s, n, b) {
			wrong = append(wrong, fmt.Errorf("inode %d, %q, is %s: not so: %s", n.Ino, n.Path(), n.State(), r.words))
		}
	}
	return wrong
}

// checkQueueLocked tells what of the queue is no node's; s.mu must be held.
func (s *Store) checkQueueLocked() (wrong []error) {
	for _, item := range s.outbox.List() {
		if item.Key.Node.Delivery != item.Key {
			wrong = append(wrong, fmt.Errorf("%q is in the queue, and not queued", item.Key.Node.Path()))
		}
	}
	return wrong
}

// checkDisk tells what in the tables and among the files contradicts memory.
// Nobody may use the store meanwhile, and all of it has to be written.
func (s *Store) checkDisk() error {
	return errors.Join(s.checkRows(), s.checkSpools(), s.checkFailed())
}

// row is what a row tells of an inode that decides about its content. Its times and
// attributes may be younger in memory.
type row struct {
	kind  FileKind
	state tree.State
	spool journal.Spool
	id    int64
}

// rowsOf reads the rows of a block.
func rowsOf(inodes []byte) (map[Ino]row, error) {
	rows := make(map[Ino]row)
	b := journal.Reader{Rest: inodes}
	for len(b.Rest) > 0 && b.Err == nil {
		var names []journal.Named
		n, spool, _ := b.Inode(&names)
		rows[n.Ino] = row{n.Kind, n.State(), spool, max(n.ID, n.Pub.ID)}
	}
	return rows, b.Err
}

func (s *Store) checkRows() error {
	found, err := s.o.State.DB().Query("SELECT number, inodes FROM media_block")
	if err != nil {
		return err
	}
	defer found.Close()
	s.mu.RLock()
	defer s.mu.RUnlock()
	missing := make(map[int64]bool)
	for _, n := range s.nodes {
		if number := journal.BlockOf(n.Ino); n.Parent != nil && number != journal.BlockOf(Root) { // the root is written with its first name
			missing[number] = true
		}
	}
	var wrong []error
	for found.Next() {
		var number int64
		var inodes []byte
		if err := found.Scan(&number, &inodes); err != nil {
			return err
		}
		delete(missing, number)
		there, err := rowsOf(inodes)
		want, unread := rowsOf(s.blockLocked(nil, number))
		if err = errors.Join(err, unread); err != nil {
			return err
		}
		if !maps.Equal(there, want) {
			wrong = append(wrong, fmt.Errorf("block %d tells %+v, and memory %+v", number, there, want))
		}
	}
	for number := range missing {
		wrong = append(wrong, fmt.Errorf("block %d is not written", number))
	}
	return errors.Join(append(wrong, found.Err())...)
}

// checkSpools compares the spool with what the nodes have. What is of a draft, or
// was removed, has no node.
func (s *Store) checkSpools() error {
	there, err := namesIn(s.spools.Path)
	if err != nil {
		return err
	}
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
		for _, sp := range []*spool.File{b.Spool, b.Closed} {
			if sp != nil {
				used[filepath.Base(sp.Path)] = true
			}
		}
		b.Mu.RUnlock()
	}
	var wrong []error
	for name := range used {
		if !there[name] {
			wrong = append(wrong, fmt.Errorf("the spool %s is not there", name))
		}
	}
	for name := range there {
		ino, _, ok := spool.Parse(name)
		if n := nodes[ino]; ok && !used[name] && n != nil && n.Parent != nil {
			wrong = append(wrong, fmt.Errorf("nobody uses the spool %s", name))
		}
	}
	return errors.Join(wrong...)
}

// checkFailed compares failed/ with its entries.
func (s *Store) checkFailed() error {
	there, err := namesIn(s.failures.Dir)
	if err != nil {
		return err
	}
	var wrong []error
	for _, e := range s.failures.List() {
		name := strconv.FormatInt(e.ID, 10)
		if !there[name] {
			wrong = append(wrong, fmt.Errorf("the content of %q is not in failed/", e.Path))
		}
		delete(there, name)
	}
	for name := range there {
		wrong = append(wrong, fmt.Errorf("nothing tells of %s in failed/", name))
	}
	return errors.Join(wrong...)
}

func namesIn(dir string) (map[string]bool, error) {
	entries, err := os.ReadDir(dir)
	names := make(map[string]bool)
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names, err
}
