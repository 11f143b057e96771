package catalogue

import (
	"context"
	"errors"
	"fmt"

	"paperfs/remote"
)

// Create creates a category or a paper with the given name in the category parent. The
// last segment of its address is a slug of the name that no known node uses. If the
// service reports that the address is taken, two requests find the node that has it. If
// that node has the requested kind and name, Create adds it to the tree. Otherwise Create
// tries one other address. If the tree cannot be read to tell, Create makes nothing. For a name that two
// languages spell differently, one more request looks at the address of the other spelling.
//
// Errors: ErrInvalid, ErrNotFound (parent), ErrTaken (parent already has a node of that
// kind and name; wraps ErrByOthers too if somebody else created it), and the service's own
// errors.
func (c *Catalogue) Create(ctx context.Context, kind remote.NodeKind, parent int64, name string) (remote.Node, error) {
	if err := checkName(name); err != nil {
		return remote.Node{}, err
	}
	language := c.spelling(ctx, parent, name)
	release, err := c.takeTurn(ctx, creation(kind))
	if err != nil {
		return remote.Node{}, err
	}
	defer release()
	s, err := c.Snapshot(ctx)
	if err != nil {
		return remote.Node{}, err
	}
	above, err := checkParent(s, parent, kind, name)
	if err != nil {
		return remote.Node{}, err
	}
	n := remote.Node{Parent: parent, Kind: kind, Name: name}
	segment := segmentFor(s, above.URL, name, language)
	n.ID, err = c.create(ctx, n, above, segment)
	if mayMeanTaken(err) {
		existing, found, unread := c.nodeAt(ctx, s, above.URL+segment+"/")
		if unread != nil {
			c.Suspect()
			return remote.Node{}, fmt.Errorf("%w; what the service has at this address cannot be read, so nothing is made: %w", err, unread)
		}
		if found {
			c.Suspect() // the tree lacks this node
			if existing.Kind == kind && existing.Name == name {
				return remote.Node{}, c.alreadyExists(existing, parent, err)
			}
			segment = withSuffix(segment, random())
			n.ID, err = c.create(ctx, n, above, segment)
		}
	}
	if err != nil {
		return remote.Node{}, c.suspectOn(err)
	}
	if above.URL != "" {
		n.URL = above.URL + segment + "/"
	}
	offers, _ := c.o.Service.Offers()
	n.Pages.Told = offers.PageCounts && kind == remote.PaperNode
	c.patch(created(n, c.o.Now()))
	return n, nil
}

func creation(kind remote.NodeKind) *remote.Operation {
	if kind == remote.CategoryNode {
		return remote.CreateCategory
	}
	return remote.CreatePaper
}

func (c *Catalogue) create(ctx context.Context, n, parent remote.Node, segment string) (int64, error) {
	if n.Kind == remote.CategoryNode {
		return c.o.Service.CreateCategory(ctx, parent, n.Name, segment)
	}
	return c.o.Service.CreatePaper(ctx, parent, n.Name, segment)
}

func checkParent(s *Snapshot, parent int64, kind remote.NodeKind, name string) (remote.Node, error) {
	above, ok := s.Node(parent)
	if !ok {
		return above, ErrNotFound
	}
	if above.Kind != remote.CategoryNode {
		return above, invalid("%q is a paper and cannot contain others", above.Name)
	}
	taken := false
	s.EachNamed(parent, kind, name, func(remote.Node) bool {
		taken = true
		return false
	})
	if taken {
		return above, fmt.Errorf("%w: %q already contains %q", ErrTaken, above.Name, name)
	}
	return above, nil
}

// nodeAt returns the node at an address, as far as the service reports it. found is false
// if no node has the address, or if the service does not say. A node that is there and
// cannot be read is an error: it may be the very node that Create was called for.
func (c *Catalogue) nodeAt(ctx context.Context, s *Snapshot, address string) (n remote.Node, found bool, err error) {
	id, found, err := c.o.Service.GetPaperIDFromUrl(ctx, address)
	if err != nil || !found {
		return n, false, nil
	}
	if known, ok := s.Node(id); ok {
		return known, true, nil
	}
	err = c.o.Service.GetAllPapers(ctx, id, func(first remote.Node) error {
		n = first
		return errStop
	})
	if err != nil && err != errStop {
		return remote.Node{}, false, err
	}
	return n, true, nil
}

// alreadyExists adds an existing node to the tree: one that somebody else created, or that
// an earlier call of ours created whose answer was lost. It returns ErrTaken.
func (c *Catalogue) alreadyExists(n remote.Node, parent int64, refusal error) error {
	n.Parent = parent
	c.patch(created(n, c.o.Now()))
	if failure, ok := errors.AsType[*remote.Error](refusal); ok && !failure.Ambiguous {
		return fmt.Errorf("%w: the service already has %q: %w", ErrTaken, n.Name, ErrByOthers)
	}
	return fmt.Errorf("%w: the service already has %q", ErrTaken, n.Name)
}
