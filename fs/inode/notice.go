package inode

import (
	"context"
	"maps"
	"slices"
	"sync"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"golang.org/x/sync/errgroup"
)

// senders is how many directories get notices at a time.
const senders = 8

// Notices has directories of type Dir, by ID. Its methods are safe for concurrent use.
type Notices[ID comparable, Dir any] struct {
	mu      sync.Mutex
	dirs    map[ID]*Dir                // guarded by mu
	sending map[chan struct{}]struct{} // guarded by mu: one for each Send under way, closed when it returns
	senders errgroup.Group
}

// NewNotices returns an empty Notices.
func NewNotices[ID comparable, Dir any]() *Notices[ID, Dir] {
	s := &Notices[ID, Dir]{dirs: make(map[ID]*Dir), sending: make(map[chan struct{}]struct{})}
	s.senders.SetLimit(senders)
	return s
}

// Enter returns the node of a directory, which make creates if there is none. A directory
// has one node for as long as it is in the Notices. If there were two, the kernel would keep
// the first, and notices to the second would be lost. Whether the kernel has forgotten a
// node does not matter, since it may be about to look it up again.
func (s *Notices[ID, Dir]) Enter(id ID, make func() *Dir) *Dir {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.dirs[id]
	if d == nil {
		d = make()
		s.dirs[id] = d
	}
	return d
}

// Dir returns the node of a directory, or nil if the kernel never had one.
func (s *Notices[ID, Dir]) Dir(id ID) *Dir {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dirs[id]
}

// Forget drops the node of a directory that no longer exists.
func (s *Notices[ID, Dir]) Forget(id ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.dirs, id)
}

// Send runs send, which sends notices of one directory, in the background. It waits only
// while senders others run.
func (s *Notices[ID, Dir]) Send(send func()) {
	sent := make(chan struct{})
	s.mu.Lock()
	s.sending[sent] = struct{}{}
	s.mu.Unlock()
	s.senders.Go(func() error {
		send()
		s.mu.Lock()
		delete(s.sending, sent)
		s.mu.Unlock()
		close(sent)
		return nil
	})
}

// WaitNotified waits until the kernel has received the notices of all Sends before it.
func (s *Notices[ID, Dir]) WaitNotified(ctx context.Context) {
	s.mu.Lock()
	sending := slices.Collect(maps.Keys(s.sending))
	s.mu.Unlock()
	for _, sent := range sending {
		select {
		case <-sent:
		case <-ctx.Done():
			return
		}
	}
}

// AwaitReaders waits until current lookups in a directory and reads of it have ended, so that
// the following notices drop their results. It is itself a notice, of a name that no dentry
// has. Here and below, ENOENT means that the kernel does not know the directory or the name.
func AwaitReaders(dir *gofs.Inode) { _ = dir.NotifyEntry(".") }

// DropEntries drops names of a directory, of any type, and its listing.
func DropEntries(dir *gofs.Inode, names []string) {
	for _, name := range names {
		_ = dir.NotifyEntry(name)
	}
	_ = dir.NotifyContent(0, 0)
}
