package catalogue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paperfs/remote"
)

// ChangeURL changes the last segment of a node's address to urlName.
//
// Errors: ErrInvalid, ErrNotFound, ErrIsRoot, ErrTaken, and the service's own errors.
func (c *Catalogue) ChangeURL(ctx context.Context, id int64, urlName string) error {
	if err := checkSegment(urlName); err != nil {
		return err
	}
	return c.modify(ctx, remote.ChangePaperUrl, id, func(ctx context.Context, s *Snapshot, n remote.Node, _ *remote.Condition) (change, error) {
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
	return c.modify(ctx, operation, id, func(ctx context.Context, s *Snapshot, n remote.Node, _ *remote.Condition) (change, error) {
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

// Delete deletes a paper or an empty category. A service that judges versions deletes no other one; of others, the
// category is deleted only if the service has just reported it as empty.
//
// Errors: ErrNotFound, ErrIsRoot, ErrNotEmpty, ErrChanged, and the service's own errors.
func (c *Catalogue) Delete(ctx context.Context, id int64) error {
	return c.modify(ctx, remote.DeletePaper, id, func(ctx context.Context, s *Snapshot, n remote.Node, _ *remote.Condition) (change, error) {
		offers, _ := c.o.Service.Offers() // the tree does not have the version of what was just made
		switch {
		case n.Kind == remote.CategoryNode && s.hasChildren(id):
			return nil, ErrNotEmpty
		case n.Kind == remote.CategoryNode && !offers.Versions:
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
		err := c.o.Service.DeletePaper(ctx, id)
		if n.Kind == remote.CategoryNode && hasCode(err, remote.Failure) && errors.Is(c.checkEmpty(ctx, id), ErrNotEmpty) {
			err = ErrNotEmpty
		}
		return deleted(id), err
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

// modify sends one change to a node that is not the root and applies it to the tree. To move or delete
// it, the node must still have the version that the tree has.
func (c *Catalogue) modify(ctx context.Context, operation *remote.Operation, id int64,
	send func(context.Context, *Snapshot, remote.Node, *remote.Condition) (change, error)) error {
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
	var done remote.Condition
	switch operation {
	case remote.MovePaper, remote.RenamePaper, remote.DeletePaper: // of values, as of periods, the last one who writes one wins
		done.If = n.Version
	}
	ch, err := send(remote.Under(ctx, &done), s, n, &done)
	if err = c.Judge(ctx, n.Name, err); err != nil {
		return c.suspectOn(err)
	}
	c.patch(ch)
	return nil
}

// Judge returns the outcome of a change of a node under a condition. If the node has another version, Judge fetches
// the tree, so that the caller sees what is there, and returns ErrChanged.
func (c *Catalogue) Judge(ctx context.Context, name string, err error) error {
	if !hasCode(err, remote.VersionConflict) {
		return err
	}
	_ = c.Refresh(ctx)
	return fmt.Errorf("%w: %q is not what this mount showed; look, and run it again: %w", ErrChanged, name, err)
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
	return fmt.Errorf("%w: %s belongs to another node; change one of the two addresses first (echo NEW > NAME.paper/url, of a category NAME/.category/url): %w", ErrTaken, address, err)
}
