package catalogue

import (
	"context"
	"errors"
	"sync"
	"time"

	"paperfs/remote"
)

// fetch replaces the tree with the service's. changed is false if the service reports that
// the current tree is still valid.
func (c *Catalogue) fetch(ctx context.Context) (changed bool, err error) {
	began := c.o.Now()
	c.install.Lock()
	c.recording, c.recorded = true, nil
	c.install.Unlock()

	fresh, odd, err := c.download(ctx, began)

	c.install.Lock()
	defer c.install.Unlock()
	changes := c.recorded
	c.recording, c.recorded = false, nil
	switch {
	case errors.Is(err, remote.ErrUnchanged):
		c.misses.Purge()
		c.unchangedLocked(began)
		return false, nil
	case err != nil:
		return true, err
	}
	defer limitGarbage()()
	if len(changes) > 0 {
		// The answer may not contain these changes, so its validator does not identify this tree.
		fresh.validator = ""
	}
	for _, ch := range changes {
		fresh, _ = ch(fresh)
	}
	c.misses.Purge()
	c.replaceLocked(fresh)
	for _, words := range c.reported.Fresh(odd) {
		c.o.Report(broken("%s", words))
	}
	return true, nil
}

// unchangedLocked records that the current tree is still the service's. The caller holds
// install.
func (c *Catalogue) unchangedLocked(began time.Time) {
	fresh := *c.snap.Load()
	fresh.fetched = began
	c.snap.Store(&fresh)
	c.dirty.Ring()
}

// replaceLocked makes a fetched snapshot the current one. The caller holds install.
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
	c.announceLocked(old, fresh, d)
}

// patch applies a change that the service has confirmed to the current snapshot.
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
		c.announceLocked(old, fresh, d)
	}
}

// download returns the service's tree and a description of each oddity in it, or
// remote.ErrUnchanged.
func (c *Catalogue) download(ctx context.Context, began time.Time) (*Snapshot, []string, error) {
	id, remembered, err := c.root(ctx)
	if err != nil {
		return nil, nil, err
	}
	tree, odd, err := c.downloadTree(ctx, id, began)
	if !hasCode(err, remote.PaperDoesNotExist) || !remembered || c.o.RootID != 0 {
		return tree, odd, err
	}
	// The remembered root was deleted: another node may have its address now.
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

func (c *Catalogue) downloadTree(ctx context.Context, id int64, began time.Time) (*Snapshot, []string, error) {
	old := c.snap.Load()
	var known remote.Validator
	if old != nil && old.base.id(0) == id {
		known = old.validator
	}
	b := newBuilder(old, began)
	b.ctx, b.limits = ctx, c.limits
	if c.o.RootID == 0 {
		b.rootURL = c.o.RootURL
	}
	done := func() {}
	defer func() { done() }()
	begin := sync.OnceFunc(func() { done = limitGarbage() }) // an answer "unchanged" does not need it
	now, err := c.o.Service.GetAllPapersIfChanged(ctx, id, known, func(n remote.Node) error {
		begin()
		return b.add(n)
	})
	if err != nil {
		return nil, nil, err
	}
	base, err := b.finish()
	switch {
	case err != nil:
		return nil, b.odd, err
	case base.id(0) != id:
		return nil, b.odd, broken("the tree of %d begins with %d", id, base.id(0))
	}
	tree := newSnapshot(base, began)
	tree.validator, tree.odd = now, len(b.odd) > 0
	return tree, b.odd, nil
}
