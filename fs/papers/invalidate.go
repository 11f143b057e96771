package papers

import (
	"context"
	"slices"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/fs/inode"
	"paperfs/fs/papers/names"
	"paperfs/remote"
)

// category returns the node of a category, or nil if the kernel never looked it up.
func (t *notices) category(id int64) *category {
	if t.root != nil && t.root.nodeID() == id {
		return t.root
	}
	return t.Dir(id)
}

// expect records that the kernel is about to enter a name itself, because it is waiting
// for a mkdir or rename: a notice that drops the name afterwards would invalidate the new
// directory while programs work in it. If the kernel does not enter the name, call
// unexpect: it drops the name, because a notice may have been skipped.
func (c *category) expect(name string) (unexpect func()) {
	e := names.In(c.nodeID(), name)
	c.expectMu.Lock()
	c.expected[e] = true
	c.expectMu.Unlock()
	return func() {
		c.wasExpected(e)
		// In the background: the kernel locks the directory until the handler returns.
		go c.NotifyEntry(name)
	}
}

// Invalidate notifies the kernel of names that now lead elsewhere or nowhere, of new
// names, and of stale listings. It is the catalogue's Changed callback and does not wait
// for the kernel.
func (t *notices) Invalidate(old, new *catalogue.Snapshot, d catalogue.Diff) {
	changed := names.Changed(old, new, d, t.wasExpected)
	for _, id := range changedListings(d) {
		if c := t.category(id); c != nil {
			t.Send(func() { c.invalidate(changed[id]) })
		}
	}
}

// invalidate makes the kernel drop names and the listing of a directory.
func (c *category) invalidate(names []string) {
	inode.AwaitReaders(&c.Inode)
	inode.DropEntries(&c.Inode, names)
}

// changedListings returns the directories whose listings differ. They include removed
// categories, in which a program may still be, and those that are there again.
func changedListings(d catalogue.Diff) []int64 {
	ids := slices.Concat(d.Dirs, d.Added)
	for _, n := range d.Gone {
		if n.Kind == remote.CategoryNode {
			ids = append(ids, n.ID)
		}
	}
	return ids
}

// notifyTimeout bounds how long a close waits for the kernel to drop stale entries.
const notifyTimeout = 2 * time.Second

// notifyChange makes the kernel drop what it knows of a name, and the listing; notified waits
// for that. It waits only for notices of this directory: a notice elsewhere may wait for a
// rename that waits for the service.
func (c *category) notifyChange(name string) (notified func(context.Context)) {
	done := make(chan struct{})
	go func() {
		c.invalidate([]string{name})
		close(done)
	}()
	return func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, notifyTimeout)
		defer cancel()
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
}
