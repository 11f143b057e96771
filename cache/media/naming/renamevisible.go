package naming

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/plan"
	"paperfs/cache/media/waiter"
)

// This file implements the rename of a directory from scratch to a visible name, with
// everything in it, and of a queued directory to scratch.

// publishTree gives a scratch directory its visible name. It either creates the directory at the
// service, and returns that outcome, or queues it. The contents are queued durably and sent in
// the background: they are too many to wait for, and a pending rename blocks others.
func (m *renaming) publishTree(ctx context.Context) error {
	m.names.Mu.RLock()
	queues, parent := m.Queues(m.rulesLocked()), m.Dir.ID
	m.names.Mu.RUnlock()
	id := int64(0)
	var err error
	if !queues {
		id, err = m.uploads.CreateDir(waiter.Committed(ctx), parent, m.Name)
	}
	if err == nil {
		err = m.enqueueTree(id)
	}
	if err != nil {
		m.reconciler.Forget()
	}
	return err
}

// enqueueTree makes m.Src visible and queues its contents. id is the directory's id at the
// service, or 0.
func (m *renaming) enqueueTree(id int64) error {
	m.names.Mu.RLock()
	list, err := plan.Visible(m.o.Names, m.Src)
	m.names.Mu.RUnlock()
	if err != nil {
		return err
	}
	files := slices.DeleteFunc(list, func(n *tree.Node) bool { return n.Kind != inode.File })
	unlock, err := m.harden(files)
	if err != nil {
		return err
	}
	upto, late, err := m.commitTree(id, files)
	unlock()
	if err != nil {
		return err
	}
	for _, n := range late {
		err = errors.Join(err, m.uploads.Enqueue(n))
	}
	return errors.Join(err, m.names.Journal.WaitSynced(upto))
}

// harden makes the content of files durable. It cannot change until unlock is called.
func (s *Naming) harden(files []*tree.Node) (unlock func(), err error) {
	slices.SortFunc(files, func(a, b *tree.Node) int { return cmp.Compare(a.Ino, b.Ino) }) // bodies are locked in order of inode number
	for i, n := range files {
		n.Body().Mu.Lock()
		if err := s.hardenOne(n); err != nil {
			unlockBodies(files[:i+1])
			return nil, err
		}
	}
	return func() { unlockBodies(files) }, nil
}

func unlockBodies(files []*tree.Node) {
	for _, n := range files {
		n.Body().Mu.Unlock()
	}
}

func (s *Naming) hardenOne(n *tree.Node) (err error) {
	b := n.Body()
	s.names.Mu.RLock()
	gone := !n.Local() || n.Parent == nil // removed or published in the meantime
	s.names.Mu.RUnlock()
	if gone {
		return nil
	}
	if b.Spool == nil {
		if err = s.bodies.DraftEmptyBodyLocked(n); err != nil {
			return err
		}
	}
	if err := b.Spool.Open(); err != nil {
		return err
	}
	err = s.bodies.Spools.Sync(b.Spool)
	if !s.names.InUse(n) && b.Spool.Frozen == 0 {
		b.Spool.Close()
	}
	return err
}

// commitTree is commitLocked for a directory that leaves scratch. The content of files is
// durable; late are files that were created after these were listed.
func (m *renaming) commitTree(id int64, files []*tree.Node) (upto uint64, late []*tree.Node, err error) {
	m.names.Mu.Lock()
	defer m.names.Mu.Unlock()
	if id == 0 {
		if err := m.stillLocked(m.Src, plan.PublishTree); err != nil {
			return 0, nil, err
		}
	}
	list, err := plan.Visible(m.o.Names, m.Src)
	if err != nil {
		return 0, nil, err
	}
	if id != 0 {
		m.names.MadeLocked(m.Src, id)
	}
	m.commitLocked()
	if id == 0 {
		m.names.SetQueuedLocked(m.Src, true)
	}
	hard := make(map[*tree.Node]bool, len(files))
	for _, n := range files {
		hard[n] = true
	}
	for _, n := range list {
		n.On(tree.Shown)
		n.Parent.Fold(n)
		switch {
		case n.Kind == inode.Directory:
			m.names.SetQueuedLocked(n, true)
		case hard[n] && n.Body().Spool != nil:
			m.Naming.bodies.EnqueueLocked(n, nil)
		default:
			n.Written = true
			n.On(tree.Written)
			late = append(late, n)
		}
		m.names.SaveLocked(n)
	}
	return m.names.SaveLocked(m.Src), late, nil
}

// makeScratchLocked turns everything in a directory that was queued, and is scratch now, into
// scratch; Tree.Mu must be held.
func (s *Naming) makeScratchLocked(dir *tree.Node) {
	clear(dir.Folded)
	for _, n := range dir.Children {
		s.names.SetQueuedLocked(n, false)
		n.On(tree.Hidden)
		s.names.SaveLocked(n)
		s.makeScratchLocked(n)
	}
}

// enqueue gives a scratch file its visible name and queues it.
func (m *renaming) enqueue() error {
	if dst := m.openTarget(); dst != nil { // as loadForReaders, but who queues waits for no service
		m.bodies.Reads.Go(func() { _ = m.bodies.Fetch(m.names.Base, dst) })
	}
	replaced, err := m.enqueueContent()
	if replaced != nil { // its replacement is durable
		m.bodies.DropRemoved(replaced)
	}
	return err
}

// enqueueContent is enqueue except for dropping the content of the replaced file: that locks its
// Body, which may come before the Body of m.Src in the lock order.
func (m *renaming) enqueueContent() (replaced *tree.Node, err error) {
	n := m.Src
	n.Body().Mu.Lock()
	defer n.Body().Mu.Unlock()
	if err := n.Body().Spool.Open(); err != nil {
		return nil, err
	}
	copied, err := m.bodies.HardenBodyLocked(n)
	if err != nil {
		return nil, err
	}
	m.names.Mu.Lock()
	if err := m.stillLocked(n, plan.Queue); err != nil {
		m.names.Mu.Unlock()
		return nil, err
	}
	replaced = m.commitLocked()
	upto := m.Naming.bodies.EnqueueLocked(n, copied)
	idle := n.Handles == 0
	m.names.Mu.Unlock()
	if idle && n.Body().Spool.Frozen == 0 {
		n.Body().Spool.Close()
	}
	return replaced, m.names.Journal.WaitSynced(upto)
}
