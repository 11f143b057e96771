package names

import (
	"context"
	"sync/atomic"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
	"paperfs/cache/notify"
)

// Subscribe sets the function that is called for each change from now on.
func (s *Tree) Subscribe(tell func(Changed)) { s.Changes.tell.Store(&tell) }

// WaitNotified waits until the subscriber has been called for all changes so far.
func (s *Tree) WaitNotified(ctx context.Context) { s.Changes.WaitNotified(ctx) }

// Changed reports what differs in one directory although no caller of this mount changed it.
type Changed struct {
	Dir     inode.Ino
	Entries []string // names that appeared, disappeared or now refer to another file

	Detached []*tree.Node // the files that they referred to
}

// changes are queued calls of the subscriber.
type changes struct {
	*notify.Queue
	tell atomic.Pointer[func(Changed)] // set by Subscribe
}

func (c *changes) Tell(list ...Changed) {
	tell := c.tell.Load()
	if tell == nil {
		return
	}
	for _, change := range list {
		c.Add(func() { (*tell)(change) })
	}
}
