package catalogue

import (
	"context"
	"time"

	"paperfs/remote"
)

// fetch replaces the tree by the service's.
func (c *Catalogue) fetch(ctx context.Context) error {
	defer spare()()
	began := c.o.Now()
	c.install.Lock()
	c.recording, c.recorded = true, nil
	c.install.Unlock()

	base, odd, err := c.download(ctx, began)

	c.install.Lock()
	defer c.install.Unlock()
	changes := c.recorded
	c.recording, c.recorded = false, nil
	if err != nil {
		return err
	}
	fresh := newSnapshot(base, began)
	for _, ch := range changes {
		fresh, _ = ch(fresh)
	}
	c.misses.Purge()
	c.replaceLocked(fresh)
	for _, words := range c.told.Fresh(odd) {
		c.o.Report(broken("%s", words))
	}
	return nil
}

// replaceLocked makes a fetched snapshot the current one, under install.
func (c *Catalogue) replaceLocked(fresh *Snapshot) {
	old := c.snap.Load()
	fresh.version = 1
	var d Diff
	if old != nil {
		fresh.version = old.version
		if d = diff(old, fresh); !d.Empty() {
			fresh.version++
		}
	}
	c.snap.Store(fresh)
	c.announce(old, fresh, d)
}

// patch applies a change that the service has confirmed.
func (c *Catalogue) patch(ch change) {
	c.install.Lock()
	defer c.install.Unlock()
	if c.recording {
		c.recorded = append(c.recorded, ch)
	}
	old := c.snap.Load()
	fresh, d := ch(old)
	if fresh != old {
		c.snap.Store(fresh)
		c.announce(old, fresh, d)
	}
}

// download gets the tree, and in words what is odd about it.
func (c *Catalogue) download(ctx context.Context, began time.Time) (*base, []string, error) {
	id, remembered, err := c.root(ctx)
	if err != nil {
		return nil, nil, err
	}
	base, odd, err := c.downloadTree(ctx, id, began)
	if !hasCode(err, remote.PaperDoesNotExist) || !remembered || c.o.RootID != 0 {
		return base, odd, err
	}
	// The root that was remembered is gone: another one may stand at its address.
	c.rememberRoot(0)
	again, lookErr := c.lookUpRoot(ctx)
	if lookErr != nil {
		return nil, nil, lookErr
	}
	if again == id {
		return nil, nil, err
	}
	return c.downloadTree(ctx, again, began)
}

func (c *Catalogue) downloadTree(ctx context.Context, id int64, began time.Time) (*base, []string, error) {
	b := newBuilder(c.snap.Load(), began)
	b.ctx, b.most = ctx, c.most
	if c.o.RootID == 0 {
		b.rootURL = c.o.RootURL
	}
	if err := c.o.Service.GetAllPapers(ctx, id, b.add); err != nil {
		return nil, nil, err
	}
	base, err := b.finish()
	if err == nil && base.id(0) != id {
		err = broken("the tree of %d begins with %d", id, base.id(0))
	}
	return base, b.odd, err
}
