package catalogue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"paperfs/remote"
)

// RootError says in a sentence why there is no tree to show.
type RootError struct {
	Sentence string
	Err      error // the service's failure, nil where the root does not exist
}

func (e *RootError) Error() string { return e.Sentence }
func (e *RootError) Unwrap() error { return e.Err }

// Connect checks that the service can be reached, accepts the credentials and has
// the root. With a saved tree, or a root that an earlier mount has found, it returns
// at once and starts a fetch in the background; Status shows how that fetch ended.
// With another root of an account that was connected before, it waits for the answer
// for some seconds only, and fails only if the service says that the root does not
// exist: the rest of the mount must not depend on the service.
//
// Errors: *RootError, which wraps the *remote.Error if there is one.
func (c *Catalogue) Connect(ctx context.Context) error {
	if c.Peek() != nil {
		_, err := c.Snapshot(ctx)
		return err
	}
	if !c.connectedBefore() {
		return c.lookAtRoot(ctx)
	}
	if c.o.RootID != 0 || c.RootID() == 0 {
		short, cancel := context.WithTimeout(ctx, newRootLimit)
		defer cancel()
		if err := c.lookAtRoot(short); noSuchRoot(err) || ctx.Err() != nil {
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

// newRootLimit bounds the look at a new root of an account that is known.
const newRootLimit = 5 * time.Second

// noSuchRoot reports whether the service has said that there is no such root.
func noSuchRoot(err error) bool {
	e, ok := errors.AsType[*RootError](err)
	return ok && (e.Err == nil || hasCode(err, remote.PaperDoesNotExist))
}

// lookAtRoot asks the service for the root.
func (c *Catalogue) lookAtRoot(ctx context.Context) error {
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

// DefaultRootLimit bounds the look at the root, for which somebody waits.
const DefaultRootLimit = 30 * time.Second

func (c *Catalogue) rootLimit() time.Duration { return cmp.Or(c.o.RootLimit, DefaultRootLimit) }

var errPaperRoot = errors.New("the root of the tree is a paper: --root-url or --root-id must name a category")

// checkKind refuses a paper as the root. The look-up of a root does not tell its
// kind, so the tree is fetched here if the root is not the top. Other failures of
// that fetch show where the tree is needed.
func (c *Catalogue) checkKind(ctx context.Context) error {
	if c.o.RootID == 0 && c.o.RootURL == "/" {
		return nil
	}
	if _, err := c.Snapshot(ctx); errors.Is(err, errPaperRoot) {
		if c.o.RootID == 0 {
			c.rememberRoot(0) // the next mount is to look again
		}
		return &RootError{Sentence: errPaperRoot.Error()}
	}
	return nil
}

// root returns the id of the root: the service's, or the remembered one if the
// service was not asked.
func (c *Catalogue) root(ctx context.Context) (id int64, remembered bool, err error) {
	if c.o.RootID != 0 {
		return c.o.RootID, true, nil
	}
	c.mu.Lock()
	id = c.rootID
	c.mu.Unlock()
	if id != 0 {
		return id, true, nil
	}
	id, err = c.lookUpRoot(ctx)
	return id, false, err
}

func (c *Catalogue) lookUpRoot(ctx context.Context) (int64, error) {
	id, err := FindRoot(ctx, c.o.Service, c.o.RootURL, 0)
	if err == nil {
		c.rememberRoot(id)
	}
	return id, err
}

func (c *Catalogue) checkRoot(ctx context.Context) error {
	_, err := FindRoot(ctx, c.o.Service, "", c.o.RootID)
	if err == nil {
		c.noteConnected()
	}
	return err
}

// FindRoot asks the service, in one request, for the root at an address or, where
// that is not 0, with an id. Errors are those of Connect.
func FindRoot(ctx context.Context, service Service, url string, id int64) (int64, error) {
	if id != 0 {
		_, err := service.GetPaperUrlFromID(ctx, id)
		switch {
		case hasCode(err, remote.PaperDoesNotExist):
			return 0, &RootError{Err: err, Sentence: fmt.Sprintf(
				"the service has no category with the id %d: see --root-id", id)}
		case err != nil:
			return 0, rootFailure(fmt.Sprintf("with the id %d", id), err)
		}
		return id, nil
	}
	id, found, err := service.GetPaperIDFromUrl(ctx, url)
	if err != nil {
		return 0, rootFailure(strconv.Quote(url), err)
	}
	if !found {
		return 0, &RootError{Sentence: fmt.Sprintf(
			"the service has nothing at the address %q: say with --root-url (or --root-id) where the tree begins", url)}
	}
	return id, nil
}

func rootFailure(root string, err error) error {
	reason := err.Error()
	var failure *remote.Error
	if errors.As(err, &failure) {
		reason = failure.Reason()
	}
	sentence := fmt.Sprintf("the root %s cannot be looked up: %s", root, reason)
	switch {
	case hasCode(err, remote.LoginSecurityViolation):
		sentence = "the service refuses the user name or the password: " + reason
	case hasCode(err, remote.Failure):
		sentence += " (some services answer this when the user name or the password is wrong)"
	}
	return &RootError{Sentence: sentence, Err: err}
}

func (c *Catalogue) rootKey() string { return "catalogue root " + c.o.RootURL }

// rememberedRoot returns the root that the last mount found, 0 if there is none.
func (c *Catalogue) rememberedRoot() int64 {
	if c.o.RootID != 0 {
		return c.o.RootID
	}
	if c.o.State == nil {
		return 0
	}
	text, _, err := c.o.State.Value(c.rootKey())
	if err != nil {
		c.o.Log.Warn("the root is not remembered", "error", err)
		return 0
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

// rememberRoot keeps the id of the root for this mount and the next; 0 forgets it.
func (c *Catalogue) rememberRoot(id int64) {
	c.mu.Lock()
	same := c.rootID == id
	c.rootID = id
	c.mu.Unlock()
	if c.o.State == nil || same {
		return
	}
	if err := c.o.State.SetValue(c.rootKey(), strconv.FormatInt(id, 10)); err != nil {
		c.o.Log.Warn("the root cannot be remembered", "error", err)
	}
	if id != 0 {
		c.noteConnected()
	}
}

// connectedKey is the state's key for "the service has accepted this account once".
const connectedKey = "catalogue connected"

func (c *Catalogue) noteConnected() {
	if c.o.State == nil {
		return
	}
	if value, _, err := c.o.State.Value(connectedKey); err == nil && value != "" {
		return
	}
	if err := c.o.State.SetValue(connectedKey, "1"); err != nil {
		c.o.Log.Warn("it cannot be remembered that the service was reached", "error", err)
	}
}

// connectedBefore reports whether the service has accepted this account at an
// earlier mount.
func (c *Catalogue) connectedBefore() bool {
	if c.o.State == nil {
		return false
	}
	value, _, err := c.o.State.Value(connectedKey)
	return err == nil && value != "" || c.o.RootID == 0 && c.RootID() != 0
}
