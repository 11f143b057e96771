package media

import (
	"paperfs/cache/media/failed"
	"paperfs/remote"
)

// This file is about a service whose data was replaced: its ids stand for other things now.

// ForgetData forgets every id of a service's data that is no more: media/ is as if others had
// deleted all of it, and what is queued there is sent as new, to the same path. A PDF that is
// queued for a paper or category goes to failed/ for a reason: nobody knows where it belongs in
// the new data. It is durable when it returns, and can be repeated. The store must be Paused.
func (s *Store) ForgetData(reason error) error {
	if err := s.setQueuedPDFsAside(reason); err != nil {
		return err
	}
	if err := s.failures.ForgetData(); err != nil {
		return err
	}
	if err := s.unknown.Clear(); err != nil {
		return err
	}
	for ino := range s.intents.Take() {
		if err := s.intents.End(ino); err != nil {
			return err
		}
	}
	s.mu.Lock()
	changes, _ := s.reconcileLocked(remote.MediaTree{}, s.serial)
	s.tree.stale, s.tree.validator = true, ""
	s.mu.Unlock()
	s.changes.add(changes...)
	return s.Sync()
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
