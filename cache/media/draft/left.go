package draft

import (
	"time"

	"paperfs/cache/media/failed"
	"paperfs/cache/media/spool"
)

// Queued is where a draft goes that an earlier run has queued.
type Queued struct {
	*Draft
	Paper   int64 // 0: it may have to be made
	Dir     int64 // the category of a PDF beside a paper, 0: it is source.pdf
	Path    string
	Written time.Time
	New     bool // there was no paper of its name
	Making  bool // an attempt may have made it
}

// Left are those that earlier runs have queued. Each is sent once PublishBy was called.
func (s *Set) Left() []Queued { return s.left }

// requeue has what an earlier run has queued of a draft wait for its publisher.
func (s *Set) requeue(row record, sp *spool.File) error {
	if err := sp.Open(); err != nil {
		return err
	}
	sp.Frozen = 1
	d := &Draft{set: s, record: row, spool: sp, closed: sp, gen: 1, queued: 1, out: row.seen == ""}
	d.size.Store(sp.Size)
	s.left = append(s.left, Queued{d, row.paper, row.dir, row.path, row.written, row.isNew, row.making})
	return nil
}

// SetQueuedAside moves to failed/ what earlier runs have queued of drafts.
func (s *Set) SetQueuedAside(reason error) error {
	for len(s.left) > 0 {
		if err := s.left[0].setAside(reason); err != nil {
			return err
		}
		s.left = s.left[1:]
	}
	return nil
}

// setAside ends a draft that nobody sends: its content goes to failed/.
func (d *Draft) setAside(reason error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, sp := d.set, d.closed
	sp.Close()
	written := d.written
	if written.IsZero() {
		written = s.o.Now()
	}
	err := s.o.Failures.Add(sp.Path, failed.Entry{Path: d.path, Reason: reason.Error(), Size: sp.Size, Mode: 0o600, ModTime: written})
	if err != nil {
		return err
	}
	d.closed, d.spool, d.ended = nil, nil, true
	d.noteQueued(0)
	s.Outbox.Drop(d)
	s.forget(d.record)
	return nil
}
