package catalogue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paperfs/remote"
)

// Move moves a node into the category destination.
//
// Errors: ErrNotFound (for either), ErrIsRoot, ErrInvalid (destination is a paper),
// ErrOwnDescendant, ErrTaken (its new address), and the service's own errors.
func (c *Catalogue) Move(ctx context.Context, id, destination int64) error {
	return c.modify(ctx, remote.MovePaper, id, func(s *Snapshot, n remote.Node) (change, error) {
		above, ok := s.Node(destination)
		switch {
		case !ok:
			return nil, ErrNotFound
		case above.Kind != remote.CategoryNode:
			return nil, invalid("%q is a paper and cannot contain others", above.Name)
		case s.within(destination, id):
			return nil, ErrOwnDescendant
		}
		if err := c.o.Service.MovePaper(ctx, id, destination); err != nil {
			return nil, c.takenError(ctx, s, id, above.URL+lastSegment(n.URL)+"/", err)
		}
		return moved(id, destination), nil
	})
}

// ChangeURL changes the last segment of a node's address to urlName.
//
// Errors: ErrInvalid, ErrNotFound, ErrIsRoot, ErrTaken, and the service's own errors.
func (c *Catalogue) ChangeURL(ctx context.Context, id int64, urlName string) error {
	if err := checkSegment(urlName); err != nil {
		return err
	}
	return c.modify(ctx, remote.ChangePaperUrl, id, func(s *Snapshot, n remote.Node) (change, error) {
		if err := c.o.Service.ChangePaperUrl(ctx, id, urlName); err != nil {
			above, _ := s.Node(n.Parent)
			return nil, c.takenError(ctx, s, id, above.URL+urlName+"/", err)
		}
		return readdressed(id, urlName), nil
	})
}

// SetPeriod sets a paper's publication period, in UTC to the second; the zero Period
// clears it.
//
// Errors: ErrInvalid (for a category, a missing end, an end that is not after the
// beginning, or a year outside 1900 to 9999), ErrNotFound, and the service's own errors.
func (c *Catalogue) SetPeriod(ctx context.Context, id int64, p remote.Period) error {
	p = canonical(p)
	if err := checkPeriod(p); err != nil {
		return err
	}
	operation := remote.SetPublicationPeriod
	if p.IsZero() {
		operation = remote.ClearPublicationPeriod
	}
	return c.modify(ctx, operation, id, func(s *Snapshot, n remote.Node) (change, error) {
		if n.Kind != remote.PaperNode {
			return nil, invalid("%q is a category and has no publication period", n.Name)
		}
		set := func() error { return c.o.Service.SetPublicationPeriod(ctx, id, p) }
		if p.IsZero() {
			set = func() error { return c.o.Service.ClearPublicationPeriod(ctx, id) }
		}
		if err := set(); err != nil {
			return nil, err
		}
		return scheduled(id, p), nil
	})
}

func checkPeriod(p remote.Period) error {
	if p.IsZero() {
		return nil
	}
	for _, end := range []time.Time{p.From, p.To} {
		if end.IsZero() {
			return invalid("a publication period needs a beginning and an end")
		}
		if end.Year() < 1900 || end.Year() > 9999 {
			return invalid("the year %d is outside 1900 to 9999", end.Year())
		}
	}
	if !p.From.Before(p.To) {
		return invalid("the publication period ends before it begins")
	}
	return nil
}

// Delete deletes a paper, or a category that the service has just reported as empty.
//
// Errors: ErrNotFound, ErrIsRoot, ErrNotEmpty, each before a deletion is sent; and the
// service's own errors.
func (c *Catalogue) Delete(ctx context.Context, id int64) error {
	return c.modify(ctx, remote.DeletePaper, id, func(s *Snapshot, n remote.Node) (change, error) {
		if n.Kind == remote.CategoryNode {
			if s.hasChildren(id) {
				return nil, ErrNotEmpty
			}
			turn, end, err := c.o.Service.Turn(remote.Patient(ctx), remote.GetAllPapers, remote.DeletePaper)
			if err != nil {
				return nil, err
			}
			defer end()
			ctx = turn // so that the deletion follows the check at once
			if err := c.checkEmpty(ctx, id); err != nil {
				return nil, err
			}
		}
		if err := c.o.Service.DeletePaper(ctx, id); err != nil {
			return nil, err
		}
		return deleted(id), nil
	})
}

var errStop = errors.New("enough seen")

// checkEmpty asks the service whether a category is empty. A category counts as empty only
// if the answer is complete and contains no other node.
func (c *Catalogue) checkEmpty(ctx context.Context, id int64) error {
	seen, empty := 0, false
	err := c.o.Service.GetAllPapers(remote.Patient(ctx), id, func(n remote.Node) error {
		if seen++; n.Parent == 0 {
			seen = 1 // also if the answer was interrupted and starts over
		}
		empty = seen == 1 && n.ID == id && n.Kind == remote.CategoryNode
		if seen > 1 {
			return errStop
		}
		return nil
	})
	switch {
	case seen > 1:
		c.Suspect() // the category is empty in the tree
		return ErrNotEmpty
	case err != nil:
		return err
	case !empty:
		return broken("the answer does not contain the requested category %d", id)
	}
	return nil
}

// modify sends one change to a node that is not the root and applies it to the tree.
func (c *Catalogue) modify(ctx context.Context, operation *remote.Operation, id int64,
	send func(*Snapshot, remote.Node) (change, error)) error {
	release, err := c.takeTurn(ctx, operation)
	if err != nil {
		return err
	}
	defer release()
	s, err := c.Snapshot(ctx)
	if err != nil {
		return err
	}
	n, ok := s.Node(id)
	switch {
	case !ok:
		return ErrNotFound
	case n.Parent == 0:
		return ErrIsRoot
	}
	ch, err := send(s, n)
	if err != nil {
		return c.suspectOn(err)
	}
	c.patch(ch)
	return nil
}

// takeTurn waits until no other change of our own is under way. With one change at a time,
// the tree gets the changes in the order in which the service made them.
func (c *Catalogue) takeTurn(ctx context.Context, operation *remote.Operation) (release func(), err error) {
	select {
	case c.turn <- struct{}{}:
		return func() { <-c.turn }, nil
	case <-ctx.Done():
		return nil, interrupted(operation, context.Cause(ctx))
	}
}

// suspectOn returns err. If err suggests that the tree differs from the service's,
// suspectOn starts a refresh in the background.
func (c *Catalogue) suspectOn(err error) error {
	var failure *remote.Error
	if errors.As(err, &failure) && (failure.Ambiguous || hasCode(err, remote.PaperDoesNotExist)) {
		c.Suspect()
	}
	return err
}

// takenError returns ErrTaken if the service refused because a node other than id has
// the address, else err. It checks the tree first, then sends one request.
func (c *Catalogue) takenError(ctx context.Context, s *Snapshot, id int64, address string, err error) error {
	if !mayMeanTaken(err) {
		return err
	}
	other, known := s.ByURL(address)
	if !known || other.ID == id {
		holder, found, lookErr := c.o.Service.GetPaperIDFromUrl(remote.Patient(ctx), address)
		if lookErr != nil || !found || holder == id {
			return err
		}
		c.Suspect() // the tree lacks that node
	}
	return fmt.Errorf("%w: %s belongs to another node; change one of the two addresses (url) first: %w", ErrTaken, address, err)
}
