package catalogue

import (
	"context"
	"fmt"

	"paperfs/remote"
)

// Create makes a category or a paper called name below the category parent.
// The last segment of its address is a slug of the name that no known node
// has. Where it is taken all the same, one look-up tells, and another name is
// tried once.
//
// Errors: ErrInvalid, ErrNotFound (parent), ErrTaken (parent has a node of
// that kind and name), those of the service.
func (c *Catalogue) Create(ctx context.Context, kind remote.NodeKind, parent int64, name string) (remote.Node, error) {
	if err := checkName(name); err != nil {
		return remote.Node{}, err
	}
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
	segment := segmentFor(s, above.URL, name)
	n.ID, err = c.create(ctx, n, above, segment)
	if mayMeanTaken(err) && c.occupied(ctx, above.URL+segment+"/") {
		c.Suspect() // the tree lacks the node that is there
		segment = withSuffix(segment, random())
		n.ID, err = c.create(ctx, n, above, segment)
	}
	if err != nil {
		return remote.Node{}, c.failed(err)
	}
	if above.URL != "" {
		n.URL = above.URL + segment + "/"
	}
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
		return above, invalid("%q is a paper and holds no others", above.Name)
	}
	taken := false
	s.EachNamed(parent, kind, name, func(remote.Node) bool {
		taken = true
		return false
	})
	if taken {
		return above, fmt.Errorf("%w: %q holds %q already", ErrTaken, above.Name, name)
	}
	return above, nil
}

// occupied asks whether a node has the address. No answer counts as no.
func (c *Catalogue) occupied(ctx context.Context, address string) bool {
	_, found, err := c.o.Service.GetPaperIDFromUrl(ctx, address)
	return err == nil && found
}
