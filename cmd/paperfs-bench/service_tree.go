package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"paperfs/remote"
)

// measureTree requests the whole tree from every node at once, after a change and again. cold is the
// time until all nodes have computed and sent their answers; kept is the time with cached
// answers.
func measureTree(ctx context.Context, c *caller) (cold, kept time.Duration, err error) {
	ask := func() error { return c.tree(ctx) }
	touch := func() error { return c.touch(ctx) }
	if err := errors.Join(touch(), ask()); err != nil { // this prepares the statements
		return 0, 0, err
	}
	if cold, err = medianOf(touch, ask); err != nil {
		return 0, 0, err
	}
	kept, err = medianOf(nil, ask)
	return cold, kept, err
}

// touch makes a change that invalidates all earlier answers.
func (c *caller) touch(ctx context.Context) error {
	id, err := c.id(ctx, firstPaper)
	if err != nil {
		return err
	}
	_, err = c.ask(ctx, remote.SetPublicationPeriod, id, "2031-01-01", fmt.Sprintf("2031-12-%02d", 1+c.touched.Add(1)%28))
	return err
}

// tree requests the whole tree from each node, all at once.
func (c *caller) tree(ctx context.Context) error {
	root, err := c.id(ctx, "/")
	if err != nil {
		return err
	}
	errs := make([]error, len(c.Nodes))
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { _, errs[i] = c.askNode(ctx, c.Nodes[i], remote.GetAllPapers, root) })
	}
	all.Wait()
	return errors.Join(errs...)
}
