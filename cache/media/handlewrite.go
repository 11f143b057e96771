package media

import (
	"context"
	"math"

	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
	"paperfs/cache/media/waiter"
)

// WriteAt writes p at off. What cannot be kept fails with Full, and the handle
// publishes nothing any more.
func (h *Handle) WriteAt(p []byte, off int64) (int, error) {
	if off > math.MaxInt64-int64(len(p)) {
		return 0, &Error{Kind: TooBig, Name: h.node.Name, Detail: "beyond the longest possible file"}
	}
	return h.put(p, func(*spool.File) int64 { return off })
}

// Append writes p at the end of the file, as WriteAt does.
func (h *Handle) Append(p []byte) (int, error) {
	return h.put(p, func(sp *spool.File) int64 { return sp.Size })
}

func (h *Handle) put(p []byte, at func(*spool.File) int64) (n int, err error) {
	err = h.edit(true, func(sp *spool.File) (err error) {
		n, err = h.store.spools.WriteAt(sp, p, at(sp))
		return err
	})
	return n, err
}

// Truncate sets the file's length. Length 0 needs no content.
func (h *Handle) Truncate(size int64) error {
	if size < 0 {
		return &Error{Kind: Invalid, Name: h.node.Name, Detail: "a negative length"}
	}
	if h.store.unchanged(h.node, size) {
		h.store.emptied(h.node, size)
		return nil
	}
	return h.edit(size > 0, func(sp *spool.File) error {
		h.store.shorten(h.node, size)
		return h.store.spools.Resize(sp, size)
	})
}

// Allocate makes the file at least end bytes long.
func (h *Handle) Allocate(end int64) error {
	return h.edit(true, func(sp *spool.File) error {
		if end <= sp.Size {
			return nil
		}
		return h.store.spools.Resize(sp, end)
	})
}

// edit runs change on the file's spool, as a new write generation. keep tells
// that the present content is needed.
func (h *Handle) edit(keep bool, change func(*spool.File) error) error {
	b := h.node.Body()
	for {
		b.Mu.Lock()
		if keep = keep && !h.store.blank(h.node); !keep || h.store.loaded(h.node) {
			break
		}
		b.Mu.Unlock()
		if err := h.Load(h.store.base); err != nil {
			h.Break(err)
			return err
		}
	}
	defer b.Mu.Unlock()
	var sp *spool.File
	err := h.store.letGo(h.node)
	if !keep {
		h.store.shorten(h.node, 0)
	}
	if err == nil {
		sp, err = h.store.own(h.node, keep)
	}
	if err == nil {
		err = change(sp)
	}
	if sp != nil {
		b.Gen++
		h.gen = b.Gen
		h.store.noteWrite(h.node, sp.Size)
	}
	h.noteTorn(b, err)
	return err
}

// DropPrivileges takes the bits off a file's mode that have it run as somebody
// else, as every file system does when one who is not root writes to it. The
// kernel leaves that to us where writes go past its page cache.
func (h *Handle) DropPrivileges() {
	s := h.store
	s.mu.RLock()
	none := h.node.Privileges() == 0
	s.mu.RUnlock()
	if none {
		return
	}
	s.mu.Lock()
	n := h.node
	n.Mode &^= n.Privileges()
	n.Ctime = s.now()
	s.saveLocked(n)
	var change []Changed
	if n.Parent != nil {
		change = []Changed{{Dir: n.Parent.Ino, Contents: []string{n.Name}}} // the kernel keeps the mode
	}
	s.mu.Unlock()
	s.changes.add(change...)
}

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
