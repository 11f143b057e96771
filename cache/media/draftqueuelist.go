package media

import (
	"maps"
	"slices"
	"strings"
	"time"

	"paperfs/cache/media/failed"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
)

// QueuedPDF is where a draft goes that an earlier run has queued.
type QueuedPDF struct {
	*Draft
	Paper   int64 // 0: it may have to be made
	Dir     int64 // the category of a PDF beside a paper, 0: it is source.pdf
	Path    string
	Written time.Time
	New     bool // there was no paper of its name
	Making  bool // an attempt may have made it
}

// QueuedPDFs are those of earlier runs. Each is sent once PublishBy was called.
func (s *Store) QueuedPDFs() []QueuedPDF { return s.leftPDFs }

// requeue has what an earlier run has queued of a draft wait for its publisher.
func (s *Store) requeue(row draftRow, sp *spool.File) error {
	if err := sp.Open(); err != nil {
		return err
	}
	sp.Frozen = 1
	d := &Draft{store: s, draftRow: row, spool: sp, closed: sp, gen: 1, queued: 1, out: row.seen == ""}
	d.size.Store(sp.Size)
	s.leftPDFs = append(s.leftPDFs, QueuedPDF{d, row.paper, row.dir, row.path, row.written, row.isNew, row.making})
	s.pdfs.Add(d, 0)
	return nil
}

// queuedPDFs lists the drafts that are queued.
func (s *Store) queuedPDFs(sent map[string]int64) (list []Queued) {
	for _, item := range s.pdfs.List() {
		d := item.Key
		d.mu.Lock()
		path := d.path
		d.mu.Unlock()
		q := Queued{Path: strings.TrimPrefix(path, "/"), Place: tree.MountPath(path), Size: d.Size(), Attempts: item.Failures, NextTry: item.Next, Sending: item.State.Active()}
		if item.Last != nil {
			q.LastError = item.Last.Error()
		}
		if q.Sending {
			q.Sent = sent[path]
		}
		list = append(list, q)
	}
	return list
}

// WritingPDFs are the paths, from the mount's root, of PDFs with something that no close has
// sent or queued yet.
func (s *Store) WritingPDFs() (paths []string) {
	s.progress.mu.Lock()
	drafts := slices.Collect(maps.Keys(s.progress.written))
	s.progress.mu.Unlock()
	for _, d := range drafts {
		d.mu.Lock()
		if d.untried() && !s.staysOnTheWay(d.path) {
			paths = append(paths, tree.MountPath(d.path))
		}
		d.mu.Unlock()
	}
	slices.Sort(paths)
	return paths
}

// discardPDF gives up on a queued draft: the content goes to failed/.
func (s *Store) discardPDF(path string) error {
	for _, item := range s.pdfs.List() {
		d := item.Key
		d.mu.Lock()
		is := d.path == path
		d.mu.Unlock()
		if !is {
			continue
		}
		if was, there := s.pdfs.Cancel(d); there && was.Active() {
			s.pdfs.Interrupt(d)
		}
		d.sending.Lock() // until it is not being sent any more
		d.mu.Lock()
		queued := d.closed != nil
		d.refuse(errDiscarded)
		s.pdfs.Drop(d)
		d.mu.Unlock()
		d.sending.Unlock()
		if to := d.publishedBy(); queued && to != nil {
			to.Published(errDiscarded)
			return nil
		}
	}
	return notQueued(path)
}

// setQueuedPDFsAside moves to failed/ what earlier runs have queued of drafts.
func (s *Store) setQueuedPDFsAside(reason error) error {
	for len(s.leftPDFs) > 0 {
		if err := s.leftPDFs[0].setAside(reason); err != nil {
			return err
		}
		s.leftPDFs = s.leftPDFs[1:]
	}
	return nil
}

// setAside ends a draft that nobody sends: its content goes to failed/.
func (d *Draft) setAside(reason error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, sp := d.store, d.closed
	sp.Close()
	written := d.written
	if written.IsZero() {
		written = s.o.Now()
	}
	err := s.failures.Add(sp.Path, failed.Entry{Path: d.path, Reason: reason.Error(), Size: sp.Size, Mode: 0o600, ModTime: written})
	if err != nil {
		return err
	}
	d.closed, d.spool, d.ended = nil, nil, true
	d.noteQueued(0)
	s.pdfs.Drop(d)
	s.forgetDraft(d.draftRow)
	return nil
}
