package draft

import (
	"errors"
	"io"
	"math"
	"os"

	"paperfs/cache/content/tree"
)

// WriteAt writes p at off. It fails with Full if there is no room. After a failed write,
// nothing more of the draft is sent.
func (d *Draft) WriteAt(p []byte, off int64) (n int, err error) {
	err = d.change(math.MaxInt64, func() error {
		n, err = d.set.o.Spools.WriteAt(d.spool, p, off)
		return err
	})
	return n, err
}

// change edits the content. While the content is queued or being sent, it edits a copy of the
// first keep bytes.
func (d *Draft) change(keep int64, edit func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.thawLocked(keep); err != nil {
		d.failed(err, 0) // the generation stays: d.spool still has the queued content
		return err
	}
	d.changes()
	err := d.createLocked()
	if err == nil {
		err = edit()
	}
	d.changed(err)
	return err
}

// thawLocked replaces a frozen d.spool with a copy of its first keep bytes; d.mu must be held.
func (d *Draft) thawLocked(keep int64) error {
	if d.spool == nil || d.spool.Frozen == 0 {
		return nil
	}
	thawed, err := d.set.o.Spools.From(d.ino, d.spool.F, min(keep, d.spool.Size))
	if err == nil {
		d.spool = thawed // the Send drops the old spool
	}
	return err
}

// createLocked creates d.spool if there is none; d.mu must be held.
func (d *Draft) createLocked() (err error) {
	switch {
	case d.ended:
		return os.ErrClosed
	case d.spool != nil:
		return nil
	}
	if err := d.set.note(d.record); err != nil {
		return err
	}
	if d.spool, err = d.set.o.Spools.Create(d.ino); err == nil {
		d.set.written.Store(d, nil)
	}
	return err
}

// changes begins an edit of the content.
func (d *Draft) changes() {
	d.known.Lock()
	defer d.known.Unlock()
	d.gen++
}

// changed ends an edit.
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
	if d.verdict.Final || at != 0 && d.verdict.Reason != nil && at < d.verdict.Gen {
		return // newer content failed while older content was sent
	}
	d.verdict = tree.Verdict{Reason: err, Gen: at, Final: at == 0}
}

// Truncate sets the length.
func (d *Draft) Truncate(size int64) error {
	return d.change(size, func() error { return d.set.o.Spools.Resize(d.spool, size) })
}

// ReadAt implements io.ReaderAt; it returns os.ErrClosed after Close.
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

// Fsync makes the written content and its row durable locally. It sends nothing.
func (d *Draft) Fsync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.spool == nil {
		return nil
	}
	return errors.Join(d.set.o.Spools.Sync(d.spool), d.set.o.Sound.Sync(d.set.o.State.Sync))
}

// Size returns the length in bytes.
func (d *Draft) Size() int64 { return d.size.Load() }
