package media

import (
	"sync/atomic"

	"paperfs/cache/notify"
)

// Changed tells what is different in one directory though no caller of this
// mount's changed it.
type Changed struct {
	Dir      Ino
	Entries  []string // names that came, went or stand for another file
	Contents []string // names of files with other content or attributes
}

// changes are what the subscriber is to be told of.
type changes struct {
	*notify.Queue
	tell atomic.Pointer[func(Changed)] // the subscriber's
}

func (c *changes) add(list ...Changed) {
	tell := c.tell.Load()
	if tell == nil {
		return
	}
	for _, change := range list {
		c.Add(func() { (*tell)(change) })
	}
}
