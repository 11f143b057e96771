package upload

import (
	"os"

	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
)

// BeginRetry opens the content of an entry of failed/ for sending. Close waits until end is
// called.
func (s *Uploader) BeginRetry(entry string) (e failed.Entry, f *os.File, end func(), err error) {
	if err := s.names.Enter(); err != nil {
		return e, nil, nil, err
	}
	if e, f, err = s.openFailed(entry); err != nil {
		s.names.Work.Done()
		return e, nil, nil, err
	}
	return e, f, func() {
		_ = f.Close() // it was only read
		s.names.Work.Done()
	}, nil
}

// SentFailed caches the content of a sent entry and removes the entry.
func (s *Uploader) SentFailed(e failed.Entry, pub tree.Version) error {
	if e.Size > 0 {
		s.bodies.Cache(s.bodies.Failures.File(e.ID), pub)
	}
	return s.TakeFailed(e)
}

// OpenFailed opens the content of an entry for reading.
func (s *Uploader) OpenFailed(name string) (*os.File, error) {
	_, f, err := s.openFailed(name)
	return f, err
}

func (s *Uploader) openFailed(name string) (failed.Entry, *os.File, error) {
	e, err := s.bodies.Failures.Find(name)
	if err != nil {
		return e, nil, err
	}
	f, err := os.Open(s.bodies.Failures.File(e.ID))
	return e, f, err
}

// TakeFailed removes an entry. It waits for the goroutine that has just added it: until that is
// done, the tree and its rows still refer to the content at its old place.
func (s *Uploader) TakeFailed(e failed.Entry) error {
	s.names.Mu.RLock()
	n := s.names.Nodes[e.Ino]
	s.names.Mu.RUnlock()
	if n != nil && n.Kind == inode.File {
		n.Body().Mu.RLock()
		defer n.Body().Mu.RUnlock()
	}
	return s.bodies.Failures.Take(e)
}
