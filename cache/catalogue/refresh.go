package catalogue

import (
	"context"
	"errors"
	"time"

	"paperfs/remote"
)

const (
	suspectPause = 10 * time.Second
	firstBackoff = 5 * time.Second
	maxBackoff   = time.Minute
)

var errClosed = errors.New("the catalogue is closed")

// Snapshot returns the current tree. If there is none yet, it waits for a fetch. If the
// tree is older than the TTL, it returns that tree and refreshes it in the background.
func (c *Catalogue) Snapshot(ctx context.Context) (*Snapshot, error) {
	c.mu.Lock()
	s := c.snap.Load()
	if s != nil {
		c.refreshIfDueLocked(s)
		c.mu.Unlock()
		return s, nil
	}
	f := c.fetches.running
	if f == nil {
		f = c.startLocked()
	}
	c.mu.Unlock()
	if err := wait(ctx, f); err != nil {
		return nil, err
	}
	return c.snap.Load(), nil
}

// Refresh waits for a fetch that starts after the call. Concurrent callers share one.
func (c *Catalogue) Refresh(ctx context.Context) error {
	c.mu.Lock()
	f := c.fetches.queued
	switch {
	case c.fetches.running == nil:
		f = c.startLocked()
	case f == nil:
		f = &flight{done: make(chan struct{})}
		c.fetches.queued = f
	}
	c.mu.Unlock()
	return wait(ctx, f)
}

// CatchUp is Refresh if a tree was asked for before: it may lack what has changed until now.
func (c *Catalogue) CatchUp(ctx context.Context) error {
	c.mu.Lock()
	asked := c.snap.Load() != nil || c.fetches.running != nil
	c.mu.Unlock()
	if !asked {
		return nil
	}
	return c.Refresh(ctx)
}

// Forget makes the next Snapshot refresh in the background, and clears the keys that
// FindID and FindURL have not found.
func (c *Catalogue) Forget() {
	c.misses.Purge()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fetches.stale = true
	c.fetches.notBefore = time.Time{}
}

// Suspect starts a refresh in the background after an answer that does not fit the tree,
// such as PAPER_DOES_NOT_EXIST for a node that the tree contains. It causes at most one
// fetch in ten seconds.
func (c *Catalogue) Suspect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fetches.suspect = true
	if s := c.snap.Load(); s != nil {
		c.refreshIfDueLocked(s)
	}
}

func (c *Catalogue) refreshIfDueLocked(s *Snapshot) {
	f, now := &c.fetches, c.o.Now()
	guess := f.suspect && now.Sub(f.suspected) >= suspectPause
	age := now.Sub(s.fetched) + c.o.Slept() - f.slept
	due := f.stale || guess || age > c.o.Lasts(s.fetched, c.o.TTL)
	if !due || f.running != nil || now.Before(f.notBefore) {
		return
	}
	if guess {
		f.suspected = now
	}
	c.startLocked()
}

func (c *Catalogue) startLocked() *flight {
	f := &flight{done: make(chan struct{})}
	c.runLocked(f)
	return f
}

func (c *Catalogue) runLocked(f *flight) {
	if c.fetches.closed {
		f.err = interrupted(remote.GetAllPapers, errClosed)
		close(f.done)
		return
	}
	c.fetches.running = f
	c.fetches.stale, c.fetches.suspect, c.fetches.slept = false, false, c.o.Slept()
	c.work.Go(func() {
		changed, err := c.fetch(c.ctx)
		c.land(f, err)
		if changed {
			releaseMemory(c.Peek())
		}
	})
}

// land ends a fetch and starts the queued one, if any.
func (c *Catalogue) land(f *flight, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	plan := &c.fetches
	plan.err = err
	if err == nil {
		plan.failures, plan.notBefore = 0, time.Time{}
	} else {
		backoff := min(firstBackoff<<min(plan.failures, 10), maxBackoff)
		plan.failures++
		plan.notBefore = c.o.Now().Add(backoff)
		plan.stale = true
		if c.ctx.Err() == nil {
			c.o.Log.Warn("the catalogue could not be fetched", "error", err, "attempt", plan.failures)
		}
	}
	next := plan.queued
	plan.running, plan.queued = nil, nil
	if next != nil {
		c.runLocked(next)
	}
	f.err = err
	close(f.done)
}
