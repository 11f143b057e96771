package media

import (
	"cmp"
	"context"
	"math"

	"paperfs/cache/media/failed"
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
		h.store.shortenBodyLocked(h.node, size)
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
		if keep = keep && !h.store.blank(h.node); !keep || h.store.loadedBodyLocked(h.node) {
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
	err := h.store.letGoBodyLocked(h.node)
	if !keep {
		h.store.shortenBodyLocked(h.node, 0)
	}
	if err == nil {
		sp, err = h.store.ownBodyLocked(h.node, keep)
	}
	if err == nil {
		err = change(sp)
	}
	if sp != nil {
		b.Gen++
		h.gen = b.Gen
		h.store.noteWriteBodyLocked(h.node, sp.Size)
	}
	h.noteTornBodyLocked(b, err)
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

// A write that fails leaves a torso: what the same program writes after it
// does not make that whole, nor does what others add to it. Nobody publishes
// it. What empties the file ends it, unless the handle of the failed write
// does: that one's close has to fail, too.

// Break notes that a write on this handle failed before it came here: the
// handle publishes nothing any more.
func (h *Handle) Break(err error) {
	b := h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	h.noteTornBodyLocked(b, err)
}

// Torn is why nobody will publish what this handle has written, nil where somebody
// may.
func (h *Handle) Torn() error {
	b := h.node.Body()
	b.Mu.RLock()
	torn := h.broken
	if torn == nil && h.gen > b.Sent {
		torn = b.Torn
	}
	b.Mu.RUnlock()
	if h.store.stays(h.node) {
		return nil
	}
	return torn
}

// noteTornBodyLocked notes after an edit through h, which failed unless err is nil, whether
// the content is a torso; b.mu must be held.
func (h *Handle) noteTornBodyLocked(b *tree.Body, err error) {
	h.broken = cmp.Or(h.broken, err)
	switch {
	case b.AllQueued(): // nothing has changed of what a close took over
		return
	case h.broken != nil:
		b.Torn = h.broken
	case b.Spool != nil && b.Spool.Size == 0:
		b.Torn = nil
	}
	if b.Torn != nil {
		b.Fail = &tree.Failure{Gen: b.Gen, Err: failed.Unfinished(b.Torn)}
	}
}

// Abandon notes that what was written until now may not be the whole, since who
// wrote it was killed: it is not published unless more is written, and a Flush
// fails with the reason. With the last handle it goes to failed/.
func (h *Handle) Abandon(reason error) {
	if h.Clean() || h.store.stays(h.node) {
		return
	}
	b := h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Torn != nil {
		return // it is not published in any case
	}
	b.Fail = &tree.Failure{Gen: b.Gen, Err: failed.Unfinished(reason), Abandoned: true}
}
