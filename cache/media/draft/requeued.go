package draft

import (
	"paperfs/cache/content/failed"
	"paperfs/cache/content/spool"
)

// Requeued returns the drafts that earlier runs queued. Each is sent once its PublishBy was
// called.
func (s *Set) Requeued() []Queued { return s.requeued }

// requeue adds a draft that an earlier run queued to those that wait for their Publisher.
func (s *Set) requeue(row record, sp *spool.File) error {
	if err := sp.Open(); err != nil {
		return err
	}
	sp.Frozen = 1
	d := &Draft{set: s, record: row, spool: sp, pending: sp, gen: 1, queued: 1, out: row.seen == ""}
	d.size.Store(sp.Size)
	s.requeued = append(s.requeued, Queued{d, row.paper, row.dir, row.path, row.written, row.isNew, row.making})
	return nil
}

// MoveQueuedToFailed moves the drafts that earlier runs queued to failed/.
func (s *Set) MoveQueuedToFailed(reason error) error {
	for len(s.requeued) > 0 {
		if err := s.requeued[0].moveToFailed(reason); err != nil {
			return err
		}
		s.requeued = s.requeued[1:]
	}
	return nil
}

// moveToFailed moves the content of a draft to failed/ and ends the draft.
func (d *Draft) moveToFailed(reason error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, sp := d.set, d.pending
	sp.Close()
	written := d.written
	if written.IsZero() {
		written = s.o.Now()
	}
	err := s.o.Failures.Add(sp.Path, failed.Entry{Path: d.path, Reason: reason.Error(), Size: sp.Size, Mode: 0o600, ModTime: written})
	if err != nil {
		return err
	}
	d.pending, d.spool, d.ended = nil, nil, true
	d.noteQueued(0)
	s.Outbox.Drop(d)
	s.forget(d.record)
	return nil
}
