package papers

import (
	"context"
	"slices"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/fs/notice"
	"paperfs/fs/papers/names"
	"paperfs/remote"
)

// category is the node of a category, nil where the kernel never had one.
func (t *notices) category(id int64) *category {
	if t.root != nil && t.root.nodeID() == id {
		return t.root
	}
	return t.Dir(id)
}

// expect says that the kernel is about to enter a name by itself, because it
// waits for a mkdir or rename: dropping that name after it would pull the new
// directory from under the programs that work in it. Where the kernel does not
// enter it, unexpect is to be called: the name is then dropped, because a
// notification may have been left out.
func (c *category) expect(name string) (unexpect func()) {
	e := names.In(c.nodeID(), name)
	c.expectMu.Lock()
	c.expected[e] = true
	c.expectMu.Unlock()
	return func() {
		c.wasExpected(e)
		// Not in the handler: the kernel holds the directory until it returns.
		go c.NotifyEntry(name)
	}
}

// Invalidate tells the kernel which names lead elsewhere now, or nowhere, or
// somewhere for the first time, and which listings are old. It is the
// catalogue's Changed callback and does not wait for the kernel.
func (t *notices) Invalidate(old, new *catalogue.Snapshot, d catalogue.Diff) {
	changed := names.Changed(old, new, d, t.wasExpected)
	for _, id := range changedListings(d) {
		if c := t.category(id); c != nil {
			t.Send(func() { c.invalidate(changed[id]) })
		}
	}
}

// drop drops names and the listing of a directory from the kernel.
func (c *category) invalidate(names []string) {
	notice.AwaitReaders(&c.Inode)
	notice.DropEntries(&c.Inode, names)
}

// relisted are the nodes whose listings differ: also of categories that went,
// because somebody may stand there, or that are there again.
func changedListings(d catalogue.Diff) []int64 {
	ids := slices.Concat(d.Dirs, d.Added)
	for _, n := range d.Gone {
		if n.Kind == remote.CategoryNode {
			ids = append(ids, n.ID)
		}
	}
	return ids
}

// toldMost bounds how long a close waits for the kernel to drop what is old.
const notifyTimeout = 2 * time.Second

// tells has the kernel drop what it knows of a name, and of the listing; told waits for
// that. It waits for what is under way in this directory alone: a notice elsewhere may wait
// for a rename that waits for the service.
func (c *category) notifyChange(name string) (told func(context.Context)) {
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
