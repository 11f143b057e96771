package draft

import (
	"errors"
	"io"
	"os"
)

// WriteAt writes p at off. It fails with Full if there is no room. After a failed write,
// nothing of the draft is sent.
func (d *Draft) WriteAt(p []byte, off int64) (n int, err error) {
	err = d.change(func() error {
		n, err = d.set.o.Spools.WriteAt(d.spool, p, off)
		return err
	})
	return n, err
}

// change edits the content, or a copy of it while it is being sent.
func (d *Draft) change(edit func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.changes()
	err := d.writableLocked()
	if err == nil {
		err = edit()
	}
	d.changed(err)
	return err
}

// writableLocked ensures that d.spool can be written to; d.mu must be held.
func (d *Draft) writableLocked() (err error) {
	switch {
	case d.ended:
		return os.ErrClosed
	case d.spool == nil:
		if err := d.set.note(d.record); err != nil {
			return err
		}
		if d.spool, err = d.set.o.Spools.Create(d.ino); err == nil {
			d.set.begins(d)
		}
	case d.spool.Frozen > 0:
		thawed, err := d.set.o.Spools.From(d.ino, d.spool.F, d.spool.Size)
		if err != nil {
			return err
		}
		d.spool = thawed // the Send drops the old spool
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
	if d.fail != nil && (d.failedAt == 0 || at != 0 && at < d.failedAt) {
		return // newer content failed while older content was sent
	}
	d.fail, d.failedAt = err, at
}

// Truncate sets the length.
func (d *Draft) Truncate(size int64) error {
	return d.change(func() error { return d.set.o.Spools.Resize(d.spool, size) })
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
