package media

import (
	"context"
	"io"
	"math"
)

// Handle is an open file. Its methods may be called at the same time.
type Handle struct {
	store *Store
	node  *node
	write bool

	// body.mu of the node guards these.
	gen    uint64 // the last generation that was written by this handle
	broken error  // a write on this handle failed: it publishes nothing
}

// Open opens a file. It never needs the content: that is fetched at the first
// read or partial write.
func (s *Store) Open(ino Ino, write bool) (*Handle, error) {
	s.mu.RLock()
	n := s.nodes[ino]
	if n == nil {
		s.mu.RUnlock()
		return nil, notFound("")
	}
	if n.kind != File {
		defer s.mu.RUnlock()
		return nil, &Error{Kind: IsDirectory, Name: n.name, Detail: "not a file"}
	}
	s.mu.RUnlock()
	// First the body: who settles the file after its last handle holds that,
	// and may take the inode away.
	n.body().mu.Lock()
	defer n.body().mu.Unlock()
	h := &Handle{store: s, node: n, write: write}
	s.mu.Lock()
	if s.nodes[ino] != n {
		s.mu.Unlock()
		return nil, notFound("")
	}
	h.countLocked(1)
	s.mu.Unlock()
	if n.body().spool == nil {
		return h, nil
	}
	if err := n.body().spool.open(); err != nil {
		s.mu.Lock()
		h.countLocked(-1)
		s.mu.Unlock()
		return nil, err
	}
	return h, nil
}

// countLocked adds the handle to those that are open, or takes it away; Store.mu
// must be held.
func (h *Handle) countLocked(by int) {
	h.node.own().handles += by
	if h.write {
		h.node.own().writers += by
		h.store.unblankLocked(h.node)
	}
}

// unblankLocked shows what others have put into n, once nobody writes it; Store.mu
// must be held.
func (s *Store) unblankLocked(n *node) {
	if !n.blank || n.writers > 0 {
		return
	}
	n.own().blank = false
	if n.pub.id != 0 && n.parent != nil {
		n.mtime, n.ctime = n.pub.modTime, n.pub.modTime
		s.keepAttrLocked(n)
		s.changes.add(Changed{Dir: n.parent.ino, Contents: []string{n.name}})
	}
}

// Clean reports whether a close of this handle says nothing of what is here and
// not at the service.
func (h *Handle) Clean() bool {
	h.node.body().mu.RLock()
	broken, allQueued := h.broken != nil, h.node.body().allQueued()
	h.node.body().mu.RUnlock()
	s := h.store
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := h.node
	if !h.write || broken || n.lost != "" {
		return !h.write
	}
	return n.local() || n.parent == nil || n.queued() && allQueued || n.pub.id != 0 && !n.dirty()
}

// Ino is the file's inode.
func (h *Handle) Ino() Ino { return h.node.ino }

// Load sees to it that reads, and writes that keep some of the content, are
// answered from this machine. It waits for the content where that has to be
// fetched.
func (h *Handle) Load(ctx context.Context) error { return h.store.fetch(ctx, h.node) }

// Loaded reports whether Load would return at once.
func (h *Handle) Loaded() bool {
	h.node.body().mu.RLock()
	defer h.node.body().mu.RUnlock()
	return h.store.loaded(h.node)
}

// ReadAt reads as io.ReaderAt does. Without Load before, it may fetch.
func (h *Handle) ReadAt(p []byte, off int64) (int, error) {
	b := h.node.body()
	for {
		b.mu.RLock()
		if h.store.loaded(h.node) {
			defer b.mu.RUnlock()
			return b.readAt(p, off)
		}
		b.mu.RUnlock()
		if err := h.Load(h.store.base); err != nil {
			return 0, err
		}
	}
}

// readAt reads what is there; b.mu must be held.
func (b *body) readAt(p []byte, off int64) (int, error) {
	switch {
	case b.spool != nil:
		return b.spool.f.ReadAt(p, off)
	case b.held != nil:
		return b.held.f.ReadAt(p, off)
	}
	return 0, io.EOF
}

// WriteAt writes p at off. What cannot be kept fails with Full, and the handle
// publishes nothing any more.
func (h *Handle) WriteAt(p []byte, off int64) (int, error) {
	if off > math.MaxInt64-int64(len(p)) {
		return 0, &Error{Kind: TooBig, Name: h.node.name, Detail: "beyond the longest possible file"}
	}
	return h.put(p, func(*spool) int64 { return off })
}

// Append writes p at the end of the file, as WriteAt does.
func (h *Handle) Append(p []byte) (int, error) {
	return h.put(p, func(sp *spool) int64 { return sp.size })
}

func (h *Handle) put(p []byte, at func(*spool) int64) (n int, err error) {
	err = h.edit(true, func(sp *spool) (err error) {
		n, err = h.store.spools.writeAt(sp, p, at(sp))
		return err
	})
	return n, err
}

// Truncate sets the file's length. Length 0 needs no content.
func (h *Handle) Truncate(size int64) error {
	if size < 0 {
		return &Error{Kind: Invalid, Name: h.node.name, Detail: "a negative length"}
	}
	if h.store.unchanged(h.node, size) {
		h.store.emptied(h.node, size)
		return nil
	}
	return h.edit(size > 0, func(sp *spool) error { return h.store.spools.resize(sp, size) })
}

// SetSize sets the length of a file by its inode. Where somebody has it open
// for writing, the new length is published with what is written there: open
// with O_TRUNC comes this way. Otherwise it is published at once, since no
// close will.
func (s *Store) SetSize(ctx context.Context, ino Ino, size int64) error {
	ctx = begun(ctx)
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
func (s *Store) othersWrite(n *node) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return n.writers > 1
}

// Allocate makes the file at least end bytes long.
func (h *Handle) Allocate(end int64) error {
	return h.edit(true, func(sp *spool) error {
		if end <= sp.size {
			return nil
		}
		return h.store.spools.resize(sp, end)
	})
}

// edit runs change on the file's spool, as a new write generation. keep tells
// that the present content is needed.
func (h *Handle) edit(keep bool, change func(*spool) error) error {
	b := h.node.body()
	for {
		b.mu.Lock()
		if keep = keep && !h.store.blank(h.node); !keep || h.store.loaded(h.node) {
			break
		}
		b.mu.Unlock()
		if err := h.Load(h.store.base); err != nil {
			h.Break(err)
			return err
		}
	}
	defer b.mu.Unlock()
	var sp *spool
	err := h.store.letGo(h.node)
	if err == nil {
		sp, err = h.store.own(h.node, keep)
	}
	if err == nil {
		err = change(sp)
	}
	if sp != nil {
		b.gen++
		h.gen = b.gen
		h.store.noteWrite(h.node, sp.size)
	}
	b.noteTorn(h, err)
	return err
}
