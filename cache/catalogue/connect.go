package catalogue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"paperfs/remote"
)

// Connect checks that the service is reachable, accepts the credentials and has the root.
// With a saved tree, or a root that an earlier mount found, it returns at once and starts
// a fetch in the background; Status reports how that fetch ended. If the account was
// connected before but this root is new, Connect waits only a few seconds and fails only
// if the service reports that the root does not exist: the rest of the mount must not
// depend on the service.
//
// Errors: *RootError, which wraps the *remote.Error if there is one.
func (c *Catalogue) Connect(ctx context.Context) error {
	if c.Peek() != nil {
		_, err := c.Snapshot(ctx)
		return err
	}
	if !c.connectedBefore() {
		return c.probeRoot(ctx)
	}
	if c.o.RootID != 0 || c.RootID() == 0 {
		short, cancel := context.WithTimeout(ctx, newRootLimit)
		defer cancel()
		if err := c.probeRoot(short); noSuchRoot(err) || ctx.Err() != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.snap.Load() == nil && c.fetches.running == nil {
		c.startLocked()
	}
	return nil
}

// newRootLimit bounds the check of a new root of an account that was connected before.
const newRootLimit = 5 * time.Second

// noSuchRoot reports whether err means that the service has no such root.
func noSuchRoot(err error) bool {
	e, ok := errors.AsType[*RootError](err)
	return ok && (e.Err == nil || hasCode(err, remote.PaperDoesNotExist))
}

// probeRoot checks with the service, within the limit, that the root exists and is a
// category.
func (c *Catalogue) probeRoot(ctx context.Context) error {
	look, cancel := context.WithTimeout(ctx, c.rootLimit())
	defer cancel()
	var err error
	if c.o.RootID != 0 {
		err = c.checkRoot(look)
	} else {
		_, err = c.lookUpRoot(look)
	}
	switch {
	case err != nil && look.Err() != nil && ctx.Err() == nil:
		return &RootError{Sentence: fmt.Sprintf("the service did not answer within %s", c.rootLimit()),
			Err: &remote.Error{Op: remote.GetPaperIDFromUrl.Name, Kind: remote.Stalled, Err: err}}
	case err != nil:
		return err
	}
	return c.checkKind(ctx)
}

// DefaultRootLimit bounds the check of the root, because the user waits for it.
const DefaultRootLimit = 30 * time.Second

func (c *Catalogue) rootLimit() time.Duration { return cmp.Or(c.o.RootLimit, DefaultRootLimit) }

// checkKind rejects a paper as the root. Looking up a root does not return its kind, so
// checkKind fetches the tree unless the root is /. It ignores other failures of that
// fetch: they are reported when the tree is used.
func (c *Catalogue) checkKind(ctx context.Context) error {
	if c.o.RootID == 0 && c.o.RootURL == "/" {
		return nil
	}
	if _, err := c.Snapshot(ctx); errors.Is(err, errPaperRoot) {
		if c.o.RootID == 0 {
			c.rememberRoot(0) // the next mount must look it up again
		}
		return &RootError{Sentence: errPaperRoot.Error()}
	}
	return nil
}

func (c *Catalogue) checkRoot(ctx context.Context) error {
	_, err := FindRoot(ctx, c.o.Service, "", c.o.RootID)
	if err == nil {
		c.noteConnected()
	}
	return err
}
