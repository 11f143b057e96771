package pending

import (
	"context"
	"maps"
	"slices"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
)

// dropTimeout bounds how long a close waits for the kernel to drop old pages.
const dropTimeout = 2 * time.Second

// DropPages is called when the service has received a new PDF of a paper from this mount.
// It makes the kernel drop the cached pages of programs that have the PDF open under any
// name: the kernel notices a change by itself only if the file's size or time differs. A
// program that opens the PDF later gets new pages anyway.
func (s *Set) DropPages(ctx context.Context, paper int64) {
	files := s.openForReading(paper)
	if len(files) == 0 {
		return
	}
	dropped := make(chan struct{})
	go func() { // in the background: a notice may wait for a READ
		for _, f := range files {
			_ = f.NotifyContent(0, 0) // ENOENT: the kernel caches nothing of it
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

// openForReading returns the inodes of a paper's PDF that programs have open for reading.
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
