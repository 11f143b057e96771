package handle

import (
	"cmp"
	"context"
	"math"
	"path"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/cache/media/waiter"
)

// WriteAt writes p at off. It fails with Full if there is no room, and with OverQuota if the service has none. After a failed
// write the handle publishes nothing.
func (h *Handle) WriteAt(p []byte, off int64) (int, error) {
	if off > math.MaxInt64-int64(len(p)) {
		return 0, &refusal.Error{Kind: refusal.TooBig, Name: path.Base(h.store.bodies.PlaceOf(h.node)), Detail: "beyond the maximum file size"}
	}
	return h.put(p, func(*spool.File) int64 { return off })
}

// Append is WriteAt at the end of the file.
func (h *Handle) Append(p []byte) (int, error) {
	return h.put(p, func(sp *spool.File) int64 { return sp.Size })
}

func (h *Handle) put(p []byte, at func(*spool.File) int64) (n int, err error) {
	err = h.edit(all, func(sp *spool.File) (err error) {
		before := sp.Size
		if err = h.store.overQuota(h.node, sp, at(sp)+int64(len(p))); err != nil {
			return err
		}
		if n, err = h.store.bodies.Spools.WriteAt(sp, p, at(sp)); err == nil {
			h.store.uploads.BeginEarlyBodyLocked(h.node, sp, before)
		}
		return err
	})
	return n, err
}

// Truncate sets the file's length. It needs what it keeps of the content.
func (h *Handle) Truncate(size int64) error {
	if size < 0 {
		return &refusal.Error{Kind: refusal.Invalid, Name: path.Base(h.store.bodies.PlaceOf(h.node)), Detail: "a negative length"}
	}
	if h.store.bodies.HasLength(h.node, size) {
		h.store.bodies.Emptied(h.node, size)
		return nil
	}
	if size > 0 && h.store.bodies.WholePDF(h.node) {
		return names.ErrCut
	}
	return h.edit(size, func(sp *spool.File) error {
		h.store.bodies.ShortenBodyLocked(h.node, size)
		return h.store.bodies.Spools.Resize(sp, size)
	})
}

// Allocate grows the file to at least end bytes.
func (h *Handle) Allocate(end int64) error {
	return h.edit(all, func(sp *spool.File) error {
		if end <= sp.Size {
			return nil
		}
		return h.store.bodies.Spools.Resize(sp, end)
	})
}

// all of the content.
const all = math.MaxInt64

// edit applies change to the file's spool as a new write generation. keep says how many of the first
// bytes of the present content are needed.
func (h *Handle) edit(keep int64, change func(*spool.File) error) (err error) {
	if err := h.store.o.State.Lost(); err != nil {
		return err
	}
	b := h.node.Body()
	for {
		b.Mu.Lock()
		if h.store.bodies.IsBlank(h.node) {
			keep = 0
		}
		if keep == 0 || h.store.bodies.PreparedBodyLocked(h.node) {
			break
		}
		b.Mu.Unlock()
		if err = h.store.bodies.PrepareChange(h.store.names.Base, h.node); err != nil {
			h.Break(err)
			return err
		}
	}
	defer b.Mu.Unlock()
	var sp *spool.File
	err = h.store.bodies.DropDequeuedBodyLocked(h.node)
	if keep == 0 {
		h.store.bodies.ShortenBodyLocked(h.node, 0)
	}
	if err == nil {
		sp, err = h.store.bodies.WritableSpoolBodyLocked(h.node, keep)
	}
	if err == nil {
		err = change(sp)
	}
	err = h.store.bodies.OrLost(err)
	if sp != nil {
		h.store.bodies.NoteWriteBodyLocked(h.node, sp.Size)
		h.gen = b.Gen
	}
	h.noteTornBodyLocked(b, err)
	return err
}

// DropPrivileges clears the set-user-ID and set-group-ID bits, as every file system does on a
// write by a process that is not root. For writes that bypass its page cache, the kernel leaves
// this to the file system.
func (h *Handle) DropPrivileges() {
	s := h.store
	s.names.Mu.RLock()
	none := h.node.Privileges() == 0
	s.names.Mu.RUnlock()
	if none {
		return
	}
	s.names.Mu.Lock()
	n := h.node
	n.Mode &^= n.Privileges()
	n.Ctime = s.names.Now()
	s.names.SaveLocked(n)
	s.names.Mu.Unlock()
}

// SetSize sets the length of a file by inode number; open with O_TRUNC uses it. If the file is
// open for writing elsewhere, the new length is published together with those writes. Otherwise
// it is published at once, since no close will follow.
func (s *Handles) SetSize(ctx context.Context, ino inode.Ino, size int64) error {
	ctx = waiter.Committed(ctx)
	if err := s.reconciler.LookForNewer(ctx, ino, true); err != nil {
		return err
	}
	h, err := s.Open(ino, true)
	if err != nil {
		return err
	}
	defer h.Release()
	if s.bodies.HasLength(h.node, size) {
		if s.names.OthersWrite(h.node) {
			s.bodies.Emptied(h.node, size)
		}
		return nil
	}
	if size > 0 {
		if err := h.Prepare(ctx); err != nil {
			return err
		}
	}
	if err := h.Truncate(size); err != nil || s.names.NeverSent(h.node) || s.names.OthersWrite(h.node) {
		return err
	}
	s.bodies.Complete(h.node)
	if s.o.WriteBack {
		return s.uploads.Enqueue(h.node)
	}
	return s.publish(ctx, h.node)
}

// A failed write leaves torn content. Neither later writes of the same program nor writes by
// others repair it, and nobody publishes it. Emptying the file ends that state.

// Break records that a write on this handle failed before it reached the store. The handle
// publishes nothing from then on.
func (h *Handle) Break(err error) {
	b := h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	h.noteTornBodyLocked(b, err)
}

// WritesPages records that the writes of this handle go through the kernel's pages. A reader's READ
// that is answered at the same time may leave older bytes there.
func (h *Handle) WritesPages() {
	b := h.node.Body()
	b.Mu.Lock()
	b.Doubt = true
	b.Mu.Unlock()
}

// PagesAreRight reports whether what the kernel has of the file is what the store has. If not, the
// kernel must drop its pages: at each open while the file is being written, and once afterwards.
func (h *Handle) PagesAreRight() bool {
	b := h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	doubt := b.Doubt
	h.store.names.Mu.RLock()
	b.Doubt = doubt && h.node.Writers > 0
	h.store.names.Mu.RUnlock()
	return !doubt
}

// Broken returns why a write on this handle failed, or nil.
func (h *Handle) Broken() error {
	b := h.node.Body()
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	return h.broken
}

// Torn returns why the content written through this handle will not be published, or nil if it
// may be.
func (h *Handle) Torn() error {
	b := h.node.Body()
	b.Mu.RLock()
	torn := h.broken
	if torn == nil && h.gen > b.Sent && b.Verdict().Final {
		torn = b.Verdict().Reason
	}
	b.Mu.RUnlock()
	if h.store.names.NeverSent(h.node) {
		return nil
	}
	return torn
}

// noteTornBodyLocked records, after an edit through h with outcome err, whether the content is
// torn; Body.Mu must be held.
func (h *Handle) noteTornBodyLocked(b *tree.Body, err error) {
	if err == nil && b.Spool != nil && b.Spool.Size == 0 {
		h.broken, b.Emptied = nil, b.Gen
		b.SetVerdict(tree.Verdict{})
		return
	}
	h.broken, b.Doubt = cmp.Or(h.broken, err), b.Doubt || err != nil
	switch {
	case b.AllQueued(): // the edit did not change what a close queued
		return
	case h.broken != nil:
		b.SetVerdict(tree.Verdict{Reason: h.broken, Gen: b.Gen, Final: true, Partial: true})
	}
}

// Abandon detaches the content from its name, which may be incomplete because its writer was killed: nothing
// heals it, and no program that opens the file from now on finds it.
func (h *Handle) Abandon(reason error) {
	if h.Clean() {
		return
	}
	b := h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	h.store.bodies.DetachBodyLocked(h.node, tree.Partial(reason))
	h.gen = 0 // the caller tells
}

// overQuota fails if n, whose content in sp grows to size bytes, can certainly not be published: the service has said within
// Options.StrictTTL that it has no room. If that was said earlier, it is asked, and the write goes on: a later one, or the close,
// is told.
func (s *Handles) overQuota(n *tree.Node, sp *spool.File, size int64) error {
	offers, _ := s.o.Service.Offers()
	if room := offers.Room; room == nil || size <= sp.Size || s.bodies.Room.Used()+size-sp.Size <= room.Left || size <= s.quotaLeft(n) {
		return nil
	} else if s.o.Now().Sub(room.Asked) > s.o.StrictTTL {
		s.reconciler.Forget()
		s.reconciler.FetchOldTree()
		return nil
	}
	return &refusal.Error{Kind: refusal.OverQuota, Name: path.Base(s.bodies.PlaceOf(n)), Detail: "the service's quota of media files has no room for it, after what is queued here: remove other files, or ask the operator for a larger quota"}
}

// Left returns how many bytes the service's quota of media files leaves, many if it tells none.
func (s *Handles) Left() int64 { return max(0, s.quotaLeft(nil)) }

// quotaLeft returns how large n, which may be nil, can become within the quota, after what is queued for other names. What is
// being sent may be at the service already.
func (s *Handles) quotaLeft(n *tree.Node) int64 {
	offers, _ := s.o.Service.Offers()
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	if offers.Room == nil || n != nil && (n.Parent == nil || n.Local() || n.PDF != nil) {
		return math.MaxInt64
	}
	left := offers.Room.Left
	if n != nil {
		left += n.Pub.Size
	}
	for _, i := range s.names.Outbox.List() {
		if d := i.Key; d.Node != n && !i.State.Active() {
			left -= d.Size - d.Node.Pub.Size
		}
	}
	return left
}
