package catalogue

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"paperfs/remote"
)

// RootError explains in a sentence why there is no tree to show.
type RootError struct {
	Sentence string
	Err      error // the service's error, nil if the root does not exist
}

func (e *RootError) Error() string { return e.Sentence }
func (e *RootError) Unwrap() error { return e.Err }

// root returns the id of the root. remembered is true if it comes from the options or an
// earlier answer and the service was not asked.
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

// FindRoot asks the service, in one request, for the root with the id or, if id is 0, at
// the address url. Errors are those of Connect.
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
