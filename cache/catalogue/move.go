package catalogue

import (
	"context"
	"errors"
	"fmt"

	"paperfs/remote"
)

// Move moves a node into the category destination and, unless name is empty, gives it another name, which not
// every service can. The last segment of its address stays.
//
// Errors: ErrInvalid (the name, or destination is a paper), ErrNotFound (for either), ErrIsRoot,
// ErrOwnDescendant, ErrTaken (its new address), ErrChanged, and the service's own errors.
func (c *Catalogue) Move(ctx context.Context, id, destination int64, name string) error {
	operation := remote.MovePaper
	if name != "" {
		operation = remote.RenamePaper
		if err := checkName(name); err != nil {
			return err
		}
	}
	return c.modify(ctx, operation, id, func(ctx context.Context, s *Snapshot, n remote.Node, done *remote.Condition) (change, error) {
		above, ok := s.Node(destination)
		switch {
		case !ok:
			return nil, ErrNotFound
		case above.Kind != remote.CategoryNode:
			return nil, invalid("%q is a paper and cannot contain others", above.Name)
		case s.within(destination, id):
			return nil, ErrOwnDescendant
		}
		if err := c.move(ctx, n, destination, name); err != nil {
			err = c.takenError(ctx, s, id, above.URL+lastSegment(n.URL)+"/", err)
			return nil, c.movedMeanwhile(ctx, id, destination, err)
		}
		return moved(id, destination, name, done.Now), nil
	})
}

func (c *Catalogue) move(ctx context.Context, n remote.Node, destination int64, name string) error {
	switch {
	case name == "":
		return c.o.Service.MovePaper(ctx, n.ID, destination)
	case n.Parent == destination:
		destination = 0
	}
	return c.o.Service.RenamePaper(ctx, n.ID, name, destination)
}

// movedMeanwhile explains why the service did not move a node, from a tree that it fetches.
func (c *Catalogue) movedMeanwhile(ctx context.Context, id, destination int64, err error) error {
	if hasCode(err, remote.Failure) && !errors.Is(err, ErrTaken) && c.Refresh(ctx) == nil && c.Peek().within(destination, id) {
		return fmt.Errorf("%w: somebody else has moved the other one into it: %w", ErrOwnDescendant, err)
	}
	return err
}

// Renames reports whether the service may rename: not if its last answer said that it cannot.
func (c *Catalogue) Renames() bool {
	offers, known := c.o.Service.Offers()
	return offers.Moves || !known
}
