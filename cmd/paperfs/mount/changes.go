package mount

import (
	"slices"
	"sync"

	"paperfs/fs/control"
	"paperfs/remote"
)

// mostChanges is how many changes are kept for the file events.
const mostChanges = 1000

// changes are the last that the mount was told of.
type changes struct {
	mu     sync.Mutex
	last   []control.Change
	before int // how many came before the last
}

func (c *changes) add(more []control.Change) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = append(c.last, more...)
	if over := len(c.last) - mostChanges; over > 0 {
		c.last = slices.Delete(c.last, 0, over)
		c.before += over
	}
}

// after returns the changes after so many; of -1, none.
func (c *changes) after(number int) control.Events {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := control.Events{Next: c.before + len(c.last), Changes: []control.Change{}}
	if number >= 0 { // a number of an earlier mount may be too large
		e.Lost = number < c.before || number > e.Next
		e.Changes = slices.Clone(c.last[min(max(0, number-c.before), len(c.last)):])
	}
	return e
}

func (a *account) events(after int) control.Events {
	e := a.changes.after(after)
	e.Told = a.follower.isTold()
	return e
}

// describe returns the changes of news, with their paths as they are now.
func (a *account) describe(n remote.News) (all []control.Change) {
	for _, kind := range n.Trees {
		all = append(all, control.Change{Kind: "tree", Path: kind})
	}
	for _, e := range n.Events {
		c := control.Change{Kind: e.Kind, ID: e.ID, Gone: e.Gone, Job: e.Job, Status: string(e.Status)}
		switch e.Kind {
		case "file", "directory":
			c.Path = a.media.PathOf(e.ID, e.Kind == "directory")
		case "deleted": // it is kept; that it is gone is a line of its own
			continue
		default:
			c.Path = a.hooks.PathOf(e.ID)
		}
		if e.Kind == "setting" {
			c.Setting = e.Name
		}
		all = append(all, c)
	}
	return all
}

// described has take called, and keeps the changes. What is gone has the path that it had before.
func (a *account) described(n remote.News, take func() error) error {
	before := a.describe(n)
	if err := take(); err != nil {
		return err
	}
	now := a.describe(n)
	for i := range now {
		if now[i].Gone {
			now[i].Path = before[i].Path
		}
	}
	a.changes.add(now)
	return nil
}
