package handle

import (
	"context"
	"io"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/upload"
)

// Handles are the open files.
type Handles struct {
	o          *option.Options
	names      *names.Tree
	reconciler *reconcile.Reconciler
	bodies     *body.Bodies
	uploads    *upload.Uploader
	finalizing int // releases in progress
}

// New returns one for the layers below.
func New(o *option.Options, names *names.Tree, reconciler *reconcile.Reconciler, bodies *body.Bodies, uploads *upload.Uploader) *Handles {
	return &Handles{o: o, names: names, reconciler: reconciler, bodies: bodies, uploads: uploads}
}

// Handle is an open file. It is safe for concurrent use.
type Handle struct {
	store *Handles
	node  *tree.Node
	write bool

	// Guarded by the node's Body.Mu.
	gen    uint64 // the last write generation of this handle; 0: none, or a close has told that its name no longer refers to it
	broken error  // a write on this handle failed, so it publishes nothing until it empties the file
}

// Open opens a file. It does not need the content: the first read or partial write fetches
// that. Of an inode whose name no longer refers to it, only a whole version can be opened, for reading.
func (s *Handles) Open(ino inode.Ino, write bool) (*Handle, error) {
	s.names.Mu.RLock()
	n := s.names.Nodes[ino]
	if n == nil {
		s.names.Mu.RUnlock()
		return nil, refusal.NoSuchFile("")
	}
	if n.Kind != inode.File {
		defer s.names.Mu.RUnlock()
		return nil, &refusal.Error{Kind: refusal.IsDirectory, Name: n.Name, Detail: "not a file"}
	}
	s.names.Mu.RUnlock()
	// Body first: finalizing the file after its last release holds it, and may remove the
	// inode.
	n.Body().Mu.Lock()
	defer n.Body().Mu.Unlock()
	h := &Handle{store: s, node: n, write: write}
	s.names.Mu.Lock()
	if s.names.Nodes[ino] != n {
		s.names.Mu.Unlock()
		return nil, refusal.NoSuchFile("")
	}
	if n.Lost != "" && write || s.names.StaleLocked(n) {
		s.names.Mu.Unlock()
		return nil, names.ErrStale
	}
	if err := s.reconciler.ProtectedLocked(n); write && err != nil {
		s.names.Mu.Unlock()
		return nil, err
	}
	h.countLocked(1)
	if write && n.IsPDF() && n.PDF.Emptied {
		n.PDF.Emptied, n.Own().Blank = false, true
	}
	s.names.Mu.Unlock()
	if n.Body().Spool == nil {
		return h, nil
	}
	if err := s.bodies.OpenSpool(n.Body().Spool); err != nil {
		h.ReleaseInBackground() // finalizes the file if its last other handle was released in the meantime
		return nil, err
	}
	return h, nil
}

// CreatedLocked opens a file that has just been created, for writing; Tree.Mu must be held.
func (s *Handles) CreatedLocked(n *tree.Node) *Handle {
	n.Own().Handles, n.Own().Writers, n.Own().Blank = 1, 1, true
	return &Handle{store: s, node: n, write: true}
}

// countLocked adds by to the number of open handles; Tree.Mu must be held.
func (h *Handle) countLocked(by int) {
	h.node.Own().Handles += by
	if h.write {
		h.node.Own().Writers += by
		h.store.unblankLocked(h.node)
	}
}

// unblankLocked shows content that others put into n while it was empty here, once no handle
// can write n; Tree.Mu must be held.
func (s *Handles) unblankLocked(n *tree.Node) {
	if !n.Blank || n.Writers > 0 {
		return
	}
	n.Own().Blank = false
	switch theirs := n.Latest(); {
	case n.Dirty() || n.Parent == nil:
	case theirs.ID != 0 && theirs.Size != 0:
		_, change := s.names.SupersedeLocked(n, theirs)
		n.Pub = tree.Version{} // it stays empty
		s.names.Changes.Tell(change)
	case n.Theirs.ID != 0: // there is no local content any more
		s.names.VersionsLocked(n, theirs, tree.Version{})
		s.names.SaveLocked(n)
	}
}

// Clean reports whether closing this handle leaves nothing to publish: it is read-only, or its
// content stays local, is queued durably, or is at the service.
func (h *Handle) Clean() bool {
	h.node.Body().Mu.RLock()
	broken, allQueued := h.broken != nil, h.node.Body().AllQueued()
	h.node.Body().Mu.RUnlock()
	s := h.store
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	n := h.node
	if !h.write || broken || n.Lost != "" {
		return !h.write
	}
	return n.Local() || n.Parent == nil || n.Queued() && allQueued && s.bodies.QueuedDurablyLocked(n) || n.Pub.ID != 0 && !n.Dirty()
}

// Ino is the file's inode.
func (h *Handle) Ino() inode.Ino { return h.node.Ino }

// Begin prepares a handle for reading: it waits until the service has told what the content is,
// unless the beginning is here. It fails with NoContent if the content is neither here nor can be
// fetched.
func (h *Handle) Begin(ctx context.Context) error { return h.store.bodies.BeginReading(ctx, h.node) }

// Prepare waits until a change of a part of the content can begin. The rest may still come then.
func (h *Handle) Prepare(ctx context.Context) error { return h.store.bodies.PrepareChange(ctx, h.node) }

// Prepared reports whether Prepare would return at once.
func (h *Handle) Prepared() bool {
	return h.is(func(*tree.Body) bool { return h.store.bodies.PreparedBodyLocked(h.node) })
}

// ReadAt reads like io.ReaderAt. It waits for what is not here, until ctx ends.
func (h *Handle) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	s := h.store
	source, err := s.bodies.OpenSource(ctx, h.node)
	if err != nil {
		return 0, err
	}
	if source == nil {
		return s.bodies.ReadDraft(ctx, h.node, p, off)
	}
	defer source.Release()
	n, err := source.ReadAt(ctx, p, off)
	return n, s.bodies.Explain(ctx, h.node, err)
}

// ReadHere is ReadAt of what is on this machine. It reports false if ReadAt may have to wait, or ends with
// an error other than io.EOF.
func (h *Handle) ReadHere(p []byte, off int64) (n int, ok bool) {
	b := h.node.Body()
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	switch {
	case b.Spool != nil:
		if from, to := b.Spool.Hole(off, off+int64(len(p))); from < to {
			return 0, false
		}
		n, err := b.Spool.F.ReadAt(p, off)
		return n, err == nil || err == io.EOF
	case b.Source != nil:
		return b.Source.ReadHere(p, off)
	}
	return 0, false
}
