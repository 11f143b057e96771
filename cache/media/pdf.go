package media

import (
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// Draft is a paper's PDF while it is being written: a file of this store with a name that nobody
// sees, in the hidden directory papers. It is safe for concurrent use and ends with Close; programs
// that have it open keep what they can read.
type Draft struct{ h *Handle }

// addPDFLocked creates the node of a PDF; s.mu must be held.
func (s *Store) addPDFLocked(ino Ino, pdf tree.PDF) *tree.Node {
	n := tree.NewNode(ino, File)
	n.Mode, n.Own().PDF = 0o600, &pdf
	n.Own().Handles = 1 // the draft's
	n.Mtime = s.now()
	s.nodes[ino] = n
	s.papers.Attach(strconv.FormatUint(uint64(ino), 10), n)
	return n
}

func (s *Store) draftOf(n *tree.Node) *Draft { return &Draft{&Handle{store: s, node: n}} }

// NewDraft creates an empty draft of a paper's PDF that is to be sent to path, in category dir if it is beside the paper.
func (s *Store) NewDraft(paper, dir int64, path string) *Draft {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastIno++
	return s.draftOf(s.addPDFLocked(s.lastIno, tree.PDF{Paper: paper, Dir: dir, Path: path}))
}

// From makes a PDF that was sent what d, which is new, begins with.
func (d *Draft) From(sha256 string, size int64, written time.Time) {
	s, n := d.h.store, d.h.node
	s.mu.Lock()
	defer s.mu.Unlock()
	n.Pub = tree.SentPDF(sha256, size)
	n.Mtime = inode.InstantOf(written)
}

// Open opens d for a program. It returns nil if d has ended.
func (d *Draft) Open() *Handle {
	s, n := d.h.store, d.h.node
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.Parent == nil || n.Handles == 0 {
		return nil
	}
	n.Own().Handles++
	return &Handle{store: s, node: n}
}

// Owes reports whether a close has yet to deal with what was written through h: no close of h has,
// it was not sent or queued, and no program has emptied the file since.
func (h *Handle) Owes() bool {
	b := h.node.Body()
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	h.store.mu.RLock()
	defer h.store.mu.RUnlock()
	return h.gen > max(h.told, b.Emptied, h.node.Settled())
}

// Settled reports whether what was written through h was sent or queued.
func (h *Handle) Settled() bool {
	b := h.node.Body()
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	h.store.mu.RLock()
	defer h.store.mu.RUnlock()
	return h.gen <= h.node.Settled()
}

// Told records that a close has dealt with what was written through h.
func (h *Handle) Told() {
	b := h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	h.told = h.gen
}

// TakeOver makes the closes of h deal with all that was written.
func (h *Handle) TakeOver() {
	b := h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	h.gen = b.Gen
}

// peek returns what look finds under Store.mu.
func peek[T any](d *Draft, look func(n *tree.Node) T) T {
	d.h.store.mu.RLock()
	defer d.h.store.mu.RUnlock()
	return look(d.h.node)
}

// About returns what is known of d.
func (d *Draft) About() PDF { return peek(d, func(n *tree.Node) PDF { return *n.PDF }) }

// Change changes what is known of d and of its heir, and returns once their rows survive a kill, if they have any.
func (d *Draft) Change(edit func(*PDF)) error {
	s, upto := d.h.store, uint64(0)
	s.mu.Lock()
	for n := d.h.node; n != nil; n = n.PDF.Heir {
		before := *n.PDF
		edit(n.PDF)
		if before.MayBeThere = n.PDF.MayBeThere; *n.PDF != before && n.Draft != 0 { // the next mount assumes so if Seen is empty
			upto = s.saveLocked(n)
		}
	}
	s.mu.Unlock()
	return s.journal.WaitWritten(upto)
}

// For changes the destination of the draft. A paper that is known is no longer being made.
func (d *Draft) For(paper, dir int64, path string) error {
	return d.Change(func(p *PDF) { p.Paper, p.Dir, p.Path, p.Making = paper, dir, path, p.Making && paper == 0 })
}

// Path returns where the draft is meant for now, from the mount's root, with a leading slash.
func (d *Draft) Path() string { return peek(d, d.h.store.shownLocked) }

// shownLocked returns the path of n as programs see it now: that of a PDF follows its paper; s.mu must be held.
func (s *Store) shownLocked(n *tree.Node) string {
	if n.PDF == nil {
		return n.LastPath()
	}
	path, _, _ := s.o.PDFPath(n.PDF.Paper, n.PDF.Dir, n.LastPath())
	return path
}

// Ino returns the draft's number, which no other draft and no node of the store has.
func (d *Draft) Ino() Ino { return d.h.Ino() }

// Size returns the length in bytes.
func (d *Draft) Size() int64 {
	return peek(d, func(n *tree.Node) int64 { size, _ := n.ShownSize(); return size })
}

// Written returns when the content was written, as a program may have set it.
func (d *Draft) Written() time.Time {
	return peek(d, func(n *tree.Node) time.Time { return n.Mtime.Time() })
}

// SetWritten changes the time at which the content was written.
func (d *Draft) SetWritten(at time.Time) error {
	s, n := d.h.store, d.h.node
	s.mu.Lock()
	n.Mtime = inode.InstantOf(at)
	upto := uint64(0)
	if n.Queued() {
		upto = s.saveLocked(n)
	}
	s.mu.Unlock()
	return s.journal.WaitWritten(upto)
}

// Clean reports whether everything written is sent. It does not wait: during a Send it returns
// false.
func (d *Draft) Clean() bool {
	return peek(d, func(n *tree.Node) bool { return n.Body().Gen == n.Body().Sent })
}

// Begun reports whether anything was ever written.
func (d *Draft) Begun() bool { return peek(d, func(n *tree.Node) bool { return n.Body().Gen > 0 }) }

// Settled reports whether everything written is sent or queued.
func (d *Draft) Settled() bool {
	return peek(d, func(n *tree.Node) bool { return n.Body().Gen == n.Settled() })
}

// Queued reports whether content is queued. It does not wait.
func (d *Draft) Queued() bool { return peek(d, (*tree.Node).Queued) }

// Untried reports whether there is written content that no Send has tried. It waits for a Send
// in progress.
func (d *Draft) Untried() bool {
	defer d.h.store.lockNode(d.h.node)()
	return peek(d, (*tree.Node).Untried)
}

// Failure returns the error of the last write or Send, nil if it succeeded. It does not wait.
func (d *Draft) Failure() error { return d.h.node.Body().Verdict().Reason }

// Refused reports whether the last Send failed, although what was written is whole.
func (d *Draft) Refused() bool {
	v := d.h.node.Body().Verdict()
	return v.Reason != nil && !v.Final
}

// ClearFailure lets the next Send retry content that could not be sent.
func (d *Draft) ClearFailure() {
	b := d.h.node.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if !b.Verdict().Final {
		b.SetVerdict(tree.Verdict{})
	}
}

// Since returns when the content was first written locally; zero if there is no content, or if
// the file system does not record creation times.
func (d *Draft) Since() (oldest time.Time) {
	b := d.h.node.Body()
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	for _, sp := range []*spool.File{b.Pending, b.Spool} {
		if sp == nil {
			continue
		}
		if at, ok := spool.Born(sp.Path); ok && (oldest.IsZero() || at.Before(oldest)) {
			oldest = at
		}
	}
	return oldest
}

// Truncate sets the length.
func (d *Draft) Truncate(size int64) error {
	if d.h.store.neverSent(d.h.node) {
		return os.ErrClosed
	}
	return d.h.Truncate(size)
}

// ReadAt implements io.ReaderAt; it returns os.ErrClosed after Close.
func (d *Draft) ReadAt(p []byte, off int64) (int, error) {
	b := d.h.node.Body()
	b.Mu.RLock()
	defer b.Mu.RUnlock()
	switch {
	case d.h.store.neverSent(d.h.node):
		return 0, os.ErrClosed
	case b.Spool == nil:
		return 0, io.EOF
	}
	return b.Spool.F.ReadAt(p, off)
}

// temporary reports whether a path contains a name that stays on this machine: a draft with that
// path has yet to get its final name.
func (s *Store) temporary(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name != "" && s.o.Names.Local(name, "", func(string) bool { return false }) {
			return true
		}
	}
	return false
}
