package media

import "sync"

// Changed tells what is different in one directory though no caller of this
// mount's changed it.
type Changed struct {
	Dir      string   // path below media/, empty for media/ itself
	Entries  []string // names that came, went or stand for another file
	Contents []string // names of files with other content or attributes
}

// changes hands Changed on from a goroutine of its own, in order and without
// locks, so that the receiver may call back.
type changes struct {
	mu      sync.Mutex
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
		if tell == nil {
			continue
		}
		for _, change := range list {
			tell(change)
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
