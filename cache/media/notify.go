package media

import (
	"context"
	"sync"

	"paperfs/cache/media/lock"
)

// Changed tells what is different in one directory though no caller of this
// mount's changed it.
type Changed struct {
	Dir      Ino
	Entries  []string // names that came, went or stand for another file
	Contents []string // names of files with other content or attributes

	told chan struct{} // in place of the above: closed when all before it was told
}

// changes hands Changed on from a goroutine of its own, in order and without
// locks, so that the receiver may call back.
type changes struct {
	mu      lock.Mutex[lock.Changes]
	more    *sync.Cond
	waiting []Changed     // guarded by mu
	tell    func(Changed) // guarded by mu
	closed  bool          // guarded by mu
	done    chan struct{}
}

func newChanges() *changes {
	c := &changes{done: make(chan struct{})}
	c.more = sync.NewCond(&c.mu)
	return c
}

// Subscribe names the one who is told of changes from now on.
func (s *Store) Subscribe(tell func(Changed)) {
	s.changes.mu.Lock()
	s.changes.tell = tell
	s.changes.mu.Unlock()
}

// Told waits until the subscriber was told of all changes up to now.
func (s *Store) Told(ctx context.Context) {
	told := make(chan struct{})
	s.changes.add(Changed{told: told})
	select {
	case <-told:
	case <-s.changes.done:
	case <-ctx.Done():
	}
}

func (c *changes) add(list ...Changed) {
	c.mu.Lock()
	c.waiting = append(c.waiting, list...)
	c.mu.Unlock()
	c.more.Signal()
}

func (c *changes) run() {
	defer close(c.done)
	for {
		c.mu.Lock()
		for len(c.waiting) == 0 && !c.closed {
			c.more.Wait()
		}
		if c.closed {
			c.mu.Unlock()
			return
		}
		list, tell := c.waiting, c.tell
		c.waiting = nil
		c.mu.Unlock()
		for _, change := range list {
			switch {
			case change.told != nil:
				close(change.told)
			case tell != nil:
				tell(change)
			}
		}
	}
}

func (c *changes) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.more.Signal()
	<-c.done
}
