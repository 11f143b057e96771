package catalogue

import (
	"context"
	"strconv"
	"strings"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// FindID returns the node with the id: 0 requests if the tree has it, 1 if the service
// does not have it either, 2 if only the service has it. It remembers until the next fetch
// that a node was not found or lies outside the tree.
//
// Errors: ErrNotFound, and the service's own errors.
func (c *Catalogue) FindID(ctx context.Context, id int64) (remote.Node, error) {
	if id <= 0 {
		return remote.Node{}, ErrNotFound
	}
	return c.find(ctx, strconv.FormatInt(id, 10),
		func(s *Snapshot) (remote.Node, bool) { return s.Node(id) },
		func(ctx context.Context, s *Snapshot) (bool, error) {
			address, err := c.o.Service.GetPaperUrlFromID(ctx, id)
			if hasCode(err, remote.PaperDoesNotExist) {
				return false, nil
			}
			return s.covers(address), err
		})
}

// FindURL returns the node at the address. It ignores case, and adds missing slashes at
// the ends. Requests and errors are those of FindID; an address that does not begin with
// the root's address needs no request.
func (c *Catalogue) FindURL(ctx context.Context, url string) (remote.Node, error) {
	address := withSlashes(url)
	if strings.Contains(address, "//") {
		return remote.Node{}, ErrNotFound
	}
	return c.find(ctx, rules.Fold(address),
		func(s *Snapshot) (remote.Node, bool) { return s.ByURL(address) },
		func(ctx context.Context, s *Snapshot) (bool, error) {
			if !s.covers(address) {
				return false, nil
			}
			_, found, err := c.o.Service.GetPaperIDFromUrl(ctx, address)
			return found, err
		})
}

// covers reports whether an address can belong to the tree: it must begin with the root's
// address.
func (s *Snapshot) covers(address string) bool {
	return strings.HasPrefix(rules.Fold(address), rules.Fold(s.Root().URL))
}

// find searches the tree, then asks the service for the node, then fetches the tree.
// Concurrent callers with the same key share one request.
func (c *Catalogue) find(ctx context.Context, key string, inTree func(*Snapshot) (remote.Node, bool),
	onService func(context.Context, *Snapshot) (bool, error)) (remote.Node, error) {
	s, err := c.Snapshot(ctx)
	if err != nil {
		return remote.Node{}, err
	}
	if n, ok := inTree(s); ok {
		return n, nil
	}
	if c.misses.Contains(key) {
		return remote.Node{}, ErrNotFound
	}
	result := c.finds.DoChan(key, func() (any, error) {
		exists, err := onService(c.ctx, s)
		if err == nil && exists {
			err = c.Refresh(c.ctx)
		}
		if err != nil {
			return nil, err
		}
		if n, ok := inTree(c.Peek()); ok {
			return n, nil
		}
		c.misses.Add(key, struct{}{})
		return nil, ErrNotFound
	})
	select {
	case r := <-result:
		if r.Err != nil {
			return remote.Node{}, r.Err
		}
		return r.Val.(remote.Node), nil
	case <-ctx.Done():
		return remote.Node{}, interrupted(remote.GetAllPapers, context.Cause(ctx))
	}
}
