// Package notice tells the kernel of changes that it did not make itself. It
// keeps names, their absence, attributes and listings for long, and relies on
// being told.
//
// A Set has the directories of one tree that the kernel has had, and sends
// notices of them, each in a goroutine of its own: a notice waits for what the
// kernel has under way in its directory, such as a rename that waits for an
// upload, and must not hold up the others. No notice may be sent by a handler,
// which it would wait for, nor under a lock that a handler takes. A Set's own
// lock is held while the node of a directory is made, and takes none of others
// but go-fuse's.
package notice

import (
	"context"
	"maps"
	"slices"
	"sync"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"golang.org/x/sync/errgroup"
)

// senders is how many directories are told of at a time.
const senders = 8

// Set are directories of type Dir by what they stand for. Its methods may be
// called at the same time.
type Set[ID comparable, Dir any] struct {
	mu      sync.Mutex
	dirs    map[ID]*Dir                // guarded by mu
	sending map[chan struct{}]struct{} // guarded by mu: each is closed when the kernel has obeyed
	senders errgroup.Group
}

// New makes an empty Set.
func New[ID comparable, Dir any]() *Set[ID, Dir] {
	s := &Set[ID, Dir]{dirs: make(map[ID]*Dir), sending: make(map[chan struct{}]struct{})}
	s.senders.SetLimit(senders)
	return s
}

// Enter returns the node that stands for a directory, which is made if there is
// none: one for each, for as long as the Set has it. The kernel would go on with
// the first of two nodes for one thing, and notices that went to the second would
// be lost. Which nodes the kernel has forgotten is no help, since it may be about
// to look one up again.
func (s *Set[ID, Dir]) Enter(id ID, make func() *Dir) *Dir {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.dirs[id]
	if d == nil {
		d = make()
		s.dirs[id] = d
	}
	return d
}

// Dir is the node of a directory, nil where the kernel never had one.
func (s *Set[ID, Dir]) Dir(id ID) *Dir {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dirs[id]
}

// Forget lets the node of a directory go that is no more.
func (s *Set[ID, Dir]) Forget(id ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.dirs, id)
}

// Send runs a function that sends notices of one directory. It waits only while
// many others are sent.
func (s *Set[ID, Dir]) Send(send func()) {
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

// Told waits until the kernel has been told of all that Send was called for
// before.
func (s *Set[ID, Dir]) Told(ctx context.Context) {
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

// Readers waits until look-ups in a directory and readings of it that are under
// way have ended, so that the notices that follow drop what they brought. It is
// a notice itself, of a name that no dentry has. ENOENT, here and below, means
// that the kernel does not know the directory or the name.
func Readers(dir *gofs.Inode) { _ = dir.NotifyEntry(".") }

// Contents drops from the kernel the content and attributes of files in a
// directory.
func Contents(dir *gofs.Inode, names []string) {
	for _, name := range names {
		if child := dir.GetChild(name); child != nil && !child.IsDir() {
			_ = child.NotifyContent(0, 0)
		}
	}
}

// Entries drops names of a directory, whatever they lead to, and its listing.
func Entries(dir *gofs.Inode, names []string) {
	for _, name := range names {
		_ = dir.NotifyEntry(name)
	}
	_ = dir.NotifyContent(0, 0)
}
