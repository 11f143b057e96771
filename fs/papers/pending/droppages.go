package pending

import (
	"context"
	"maps"
	"slices"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
)

// renewMost bounds how long a close waits for the kernel to drop what is old.
const dropTimeout = 2 * time.Second

// Renew is called when the service has another PDF of a paper, from here. The kernel is told to drop the pages
// of those who have the PDF open, by any name: it finds a change by itself only where the size or the time of the
// file tells of one. A program that opens the PDF later gets new pages anyway.
func (s *Set) DropPages(ctx context.Context, paper int64) {
	files := s.openForReading(paper)
	if len(files) == 0 {
		return
	}
	dropped := make(chan struct{})
	go func() { // not in the handler: a notice may wait for a READ
		for _, f := range files {
			_ = f.NotifyContent(0, 0) // ENOENT: the kernel has nothing of it
		}
		close(dropped)
	}()
	ctx, cancel := context.WithTimeout(ctx, dropTimeout)
	defer cancel()
	select {
	case <-dropped:
	case <-ctx.Done():
	}
}

func (s *Set) addReader(r *Sent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readers == nil {
		s.readers = map[*Sent]bool{}
	}
	s.readers[r] = true
}

func (s *Set) removeReader(r *Sent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.readers, r)
}

// beingRead are the files of a paper's PDF that programs have open for reading.
func (s *Set) openForReading(paper int64) []*gofs.Inode {
	s.mu.Lock()
	defer s.mu.Unlock()
	files := map[*gofs.Inode]bool{}
	for r := range s.readers {
		if r.paper == paper {
			files[r.by] = true
		}
	}
	return slices.Collect(maps.Keys(files))
}
