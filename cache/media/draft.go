package media

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"paperfs/cache/media/failed"
	"paperfs/cache/media/lock"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
	"paperfs/remote"
)

// Draft is content that is being written for something that lies outside the
// media store but shares its room, its failed content and its content cache: a
// paper's PDF. Its methods may be called at the same time. It ends with Close.
type Draft struct {
	store *Store
	draftRow
	size atomic.Int64 // bytes; told without waiting

	sending lock.Mutex[lock.Sending] // held by a Send, so there is one at a time

	mu    lock.Mutex[lock.Draft] // guards the content, and is taken under sending; nobody waits for the service who holds it
	spool *spool.File            // nil until the first change; a Send has it frozen: what is written meanwhile goes to a copy
	// closed is what a close has queued, frozen, nil for nothing; the spool itself while nobody has written since.
	closed *spool.File
	ended  bool // Close was called

	known lock.Mutex[lock.Known] // guards the rest, and is taken under mu; nobody waits who holds it
	gen   uint64                 // raised by each write, under mu
	sent  uint64                 // the generation that was sent
	// queued is the generation that a close has queued, 0 for none.
	queued    uint64
	publisher Publisher       // of what is queued
	canceller *tree.Canceller // of the request that sends what is queued, nil: none does
	sum       string          // SHA-256 of what was sent
	fail      error           // of the last write or Send that failed, nil after a success
	// failedAt is the generation that could not be sent: what is written after
	// it is tried again. 0 where a write failed: that nothing mends.
	failedAt uint64
}

// NewDraft begins an empty draft of a paper's PDF, which is meant to go to path.
func (s *Store) NewDraft(paper int64, path string) *Draft {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastIno++
	return &Draft{store: s, draftRow: draftRow{ino: s.lastIno, paper: paper, path: path}}
}

// Ino is a number that no other draft has, and no node of the store.
func (d *Draft) Ino() Ino { return d.ino }

// Since returns when the content was first written here; the zero time if there is no
// content, or if the disk keeps no such time.
func (d *Draft) Since() time.Time { return d.store.spools.Born(d.ino)[d.ino] }

// For changes what the draft is meant for.
func (d *Draft) For(paper int64, path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paper, d.path = paper, path
	if d.spool == nil {
		return nil
	}
	return d.store.noteDraft(d.draftRow)
}

// Again has what could not be sent tried again by the next Send.
func (d *Draft) Again() {
	d.known.Lock()
	defer d.known.Unlock()
	if d.failedAt != 0 {
		d.fail, d.failedAt = nil, 0
	}
}

// WriteAt writes p at off. What cannot be kept fails with Full, and nothing
// of the draft is sent any more.
func (d *Draft) WriteAt(p []byte, off int64) (n int, err error) {
	err = d.change(func() error {
		n, err = d.store.spools.WriteAt(d.spool, p, off)
		return err
	})
	return n, err
}

// change changes the content, or a copy of it while that is being sent.
func (d *Draft) change(edit func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.changes()
	err := d.writable()
	if err == nil {
		err = edit()
	}
	d.changed(err)
	return err
}

// writable sees to a spool that may be written to; d.mu must be held.
func (d *Draft) writable() (err error) {
	switch {
	case d.ended:
		return os.ErrClosed
	case d.spool == nil:
		if err := d.store.noteDraft(d.draftRow); err != nil {
			return err
		}
		if d.spool, err = d.store.spools.Create(d.ino); err == nil {
			d.store.progress.draftBegins(d)
		}
	case d.spool.Frozen > 0:
		thawed, err := d.store.spools.From(d.ino, d.spool.F, d.spool.Size)
		if err != nil {
			return err
		}
		d.spool = thawed // the Send sees to the other
	}
	return err
}

// changes begins a change of the content.
func (d *Draft) changes() {
	d.known.Lock()
	defer d.known.Unlock()
	d.gen++
}

// changed ends it.
func (d *Draft) changed(err error) {
	if d.spool != nil {
		d.size.Store(d.spool.Size)
	}
	if err != nil {
		d.failed(err, 0)
	}
}

func (d *Draft) failed(err error, at uint64) {
	d.known.Lock()
	defer d.known.Unlock()
	if d.fail != nil && (d.failedAt == 0 || at != 0 && at < d.failedAt) {
		return // it was written to, or spoilt, while older content was sent
	}
	d.fail, d.failedAt = err, at
}

// Truncate sets the length.
func (d *Draft) Truncate(size int64) error {
	return d.change(func() error { return d.store.spools.Resize(d.spool, size) })
}

// ReadAt reads as io.ReaderAt does; os.ErrClosed after Close.
func (d *Draft) ReadAt(p []byte, off int64) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.ended:
		return 0, os.ErrClosed
	case d.spool == nil:
		return 0, io.EOF
	}
	return d.spool.F.ReadAt(p, off)
}

// Fsync makes what was written durable on this machine, and what it is written
// for. It sends nothing.
func (d *Draft) Fsync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.spool == nil {
		return nil
	}
	return errors.Join(d.store.spools.Sync(d.spool), d.store.sound.Sync(d.store.o.State.Sync))
}

// Size is the length in bytes.
func (d *Draft) Size() int64 { return d.size.Load() }

// Send has what was written since the last Send sent, or what is queued, by send, which
// gives the SHA-256 of the content. It does nothing when nothing was written, and fails
// after a write that failed.
func (d *Draft) Send(send func(remote.Content) (sha256 string, err error)) error {
	d.sending.Lock()
	defer d.sending.Unlock()
	sp, path, gen, queued, err := d.freeze()
	if sp == nil || err != nil {
		return err
	}
	content := sp.Content()
	content.Path, content.Since = path, d.store.o.Now()
	if queued != nil {
		content.Gate = queued
		defer d.cancelled(nil)
	}
	d.store.progress.begin(content)
	defer d.store.progress.end(content)
	sum, err := send(content)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		d.wasSent(gen, sum)
	}
	if err == nil && sp == d.closed {
		d.unqueue()
	}
	if sp.Frozen--; sp != d.spool && sp.Frozen == 0 {
		d.putAway(sp, sum, err == nil)
	}
	switch {
	case err != nil && queued != nil:
		return err // the queue tries it again
	case err != nil:
		d.failed(err, gen)
		return err
	}
	d.store.failures.Overtake(d.paper, d.path)
	return nil
}

// wasSent notes what was sent, before that leaves the queue: at no time is it neither.
func (d *Draft) wasSent(gen uint64, sum string) {
	d.known.Lock()
	defer d.known.Unlock()
	d.sum, d.sent = sum, gen
}

// freeze takes the content to be sent, nil where there is none, and where it goes. What is
// queued goes first, with its canceller.
func (d *Draft) freeze() (sp *spool.File, path string, gen uint64, queued *tree.Canceller, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed != nil {
		d.closed.Frozen++
		return d.closed, d.path, d.taken(), d.cancelled(new(tree.Canceller)), nil
	}
	gen, err = d.unsent()
	if gen == 0 || err != nil || d.ended {
		return nil, "", 0, nil, err
	}
	d.spool.Frozen++
	return d.spool, d.path, gen, nil, nil
}

// taken is the newest generation that is sent or queued.
func (d *Draft) taken() uint64 {
	d.known.Lock()
	defer d.known.Unlock()
	return max(d.sent, d.queued)
}

// putAway puts content into the cache that was sent, and drops other.
func (d *Draft) putAway(sp *spool.File, sum string, sent bool) (away bool) {
	if !sent {
		d.store.spools.Drop(sp)
		return true
	}
	return d.store.adopt(sp, sum, d.draftRow)
}

// unsent is the generation to be sent, 0 where there is nothing; d.mu must be
// held.
func (d *Draft) unsent() (gen uint64, err error) {
	d.known.Lock()
	defer d.known.Unlock()
	if d.gen == max(d.sent, d.queued) || d.Size() == 0 && (d.fail == nil || d.failedAt != 0) {
		return 0, nil
	}
	if d.failedAt != 0 && d.gen > d.failedAt {
		d.fail, d.failedAt = nil, 0
	}
	return d.gen, d.fail
}

// Clean reports whether everything that was written is sent. It waits for
// nothing: while a Send is under way it is not.
func (d *Draft) Clean() bool {
	d.known.Lock()
	defer d.known.Unlock()
	return d.gen == d.sent
}

// Generation is a number for what is written now: each write raises it.
func (d *Draft) Generation() uint64 {
	d.known.Lock()
	defer d.known.Unlock()
	return d.gen
}

// Sent reports whether a generation is at the service, or queued, in itself or in a newer one.
func (d *Draft) Sent(generation uint64) bool { return generation <= d.taken() }

// SHA256 is the hash of what was sent last, "" where nothing was.
func (d *Draft) SHA256() string {
	d.known.Lock()
	defer d.known.Unlock()
	return d.sum
}

// Failure is why the last write or Send failed, nil where none has. It waits for nothing.
func (d *Draft) Failure() error {
	d.known.Lock()
	defer d.known.Unlock()
	return d.fail
}

// Untried reports whether something was written that nobody has tried to send. It
// waits for a Send that is under way.
func (d *Draft) Untried() bool {
	d.sending.Lock()
	defer d.sending.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.untried()
}

// untried is Untried; d.mu must be held.
func (d *Draft) untried() bool {
	d.known.Lock()
	defer d.known.Unlock()
	return d.gen != max(d.sent, d.queued) && (d.fail == nil || d.failedAt != 0 && d.gen > d.failedAt) && d.Size() > 0
}

// Spoil has nothing of the draft sent until more is written: what is there is
// not whole. It is kept in failed/, with the reason. It waits for nothing: what
// a Send that is under way sends was whole when that began.
func (d *Draft) Spoil(reason error) {
	d.known.Lock()
	defer d.known.Unlock()
	if d.fail == nil || d.failedAt != 0 { // what a failed write left is not sent in any case
		d.fail, d.failedAt = failed.Unfinished(reason), d.gen
	}
}

// Close ends the draft. What was sent goes to the content cache, what could
// not be sent to failed/. It waits for a Send that is under way.
func (d *Draft) Close() {
	d.sending.Lock()
	defer d.sending.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.close()
}

// Release ends the draft for who must not wait. What nobody has tried to send
// is sent first, by last; that, and a Send that is under way, go on behind, and
// the store's Close waits for them.
func (d *Draft) Release(last func()) {
	if d.closeUnsent() {
		return
	}
	end := func() {
		if d.Untried() {
			last()
		}
		d.Close()
	}
	if d.store.enter() != nil {
		end() // the mount has ended: nobody waits
		return
	}
	d.store.progress.draftReleased(+1)
	go func() {
		defer d.store.work.Done()
		end()
		d.store.progress.draftReleased(-1)
	}()
}

// closeUnsent is Close where that waits for nothing and nothing is to be sent.
func (d *Draft) closeUnsent() bool {
	if !d.sending.TryLock() {
		return false
	}
	defer d.sending.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.untried() {
		return false
	}
	d.close()
	return true
}

// close is Close; sending and mu must be held.
func (d *Draft) close() {
	d.known.Lock()
	defer d.known.Unlock()
	s, sp := d.store, d.spool
	d.spool, d.ended = nil, true // who closes it once more finds nothing
	s.progress.draftEnds(d)
	switch {
	case sp == nil:
		return // nothing was written
	case d.gen == d.sent && d.sum != "":
		if !d.putAway(sp, d.sum, true) {
			return // the next mount sees to it
		}
	case d.fail != nil && sp.Size > 0 && !Is(d.fail, Full): // else a torso without room; its writer was told
		if !d.keepFailed(sp, d.fail, failed.IsUnfinished(d.fail) || d.failedAt == 0) {
			return // the next mount sees to it
		}
	default:
		s.spools.Drop(sp)
	}
	s.forgetDraft(d.draftRow)
}

// keepFailed moves content to failed/, and reports whether it could.
func (d *Draft) keepFailed(sp *spool.File, reason error, unfinished bool) bool {
	s := d.store
	sp.Close()
	err := s.failures.Add(sp.Path, failed.Entry{Path: d.path, Reason: reason.Error(), Size: sp.Size, Mode: 0o600, ModTime: s.o.Now(),
		Unfinished: unfinished, Paper: d.paper, Overtaken: Is(reason, Exists)})
	if err != nil {
		s.o.Log.Error("content that was not published stays in the spool", "path", d.path, "error", err)
	}
	return err == nil
}

// Unlink has the next mount find nothing of the draft, which goes on until Close; of
// what is being sent, or could not be, that decides.
func (d *Draft) Unlink() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known.Lock()
	failed := d.fail != nil
	d.known.Unlock()
	if d.spool == nil || d.spool.Frozen > 0 || failed {
		return
	}
	_ = os.Remove(d.spool.Path) // else Close does
	d.store.forgetDraft(d.draftRow)
}

// OpenSent opens what was sent, by its SHA-256, before Close puts it into the content
// cache; os.ErrNotExist where the draft has other content, or has ended.
func (d *Draft) OpenSent(sha256 string) (*os.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known.Lock()
	is := d.gen == d.sent && d.sum == sha256
	d.known.Unlock()
	if !is || d.spool == nil {
		return nil, os.ErrNotExist
	}
	return os.Open(d.spool.Path)
}

// KeepPDFs has PDFs that were sent for a paper stay in the content cache, by their SHA-256.
// Others of it may go.
func (s *Store) KeepPDFs(paper int64, sha256 []string) { s.contents.Keep(paper, sha256) }

// OpenContent opens published content by its SHA-256; os.ErrNotExist where it
// is not held here.
func (s *Store) OpenContent(sha256 string) (*os.File, error) { return s.contents.Open(sha256) }
