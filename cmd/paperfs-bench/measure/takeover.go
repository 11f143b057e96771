package measure

import (
	"context"
	"fmt"
	"time"

	"paperfs/remote"
)

// Nodes are processes of a service, by their index in the nodes of a caller.
type Nodes interface {
	// Works reports whether a node is processing a PDF.
	Works(node int) (bool, error)
	// Kill ends a node as kill -9 does.
	Kill(node int) error
}

// Takeover kills one of two nodes while it processes a PDF of many pages, and returns how long
// it takes until the other node processes it.
func Takeover(ctx context.Context, c *Caller, nodes Nodes, pages int) (time.Duration, error) {
	j, err := c.process(ctx, "taken-over", pages)
	if err != nil {
		return 0, err
	}
	first := -1
	for first < 0 {
		if first, err = working(nodes, 0, 1); err != nil {
			return 0, err
		}
		if err := c.mayWait(ctx, j); err != nil {
			return 0, err
		}
	}
	if err := nodes.Kill(first); err != nil {
		return 0, err
	}
	began := time.Now()
	alive := &Caller{Nodes: c.Nodes[1-first : 2-first], Host: c.Host, Name: c.Name, Key: c.Key}
	for {
		found, err := working(nodes, 1-first)
		if err != nil || found >= 0 {
			return time.Since(began), err
		}
		if err := alive.mayWait(ctx, j); err != nil {
			return 0, err
		}
	}
}

// working returns the first of some nodes that is processing a PDF, or -1.
func working(nodes Nodes, of ...int) (int, error) {
	for _, n := range of {
		if works, err := nodes.Works(n); err != nil || works {
			return n, err
		}
	}
	return -1, nil
}

// mayWait pauses. It returns an error if the job has ended.
func (c *Caller) mayWait(ctx context.Context, j job) error {
	body, err := c.Ask(ctx, remote.GetProcessingStatus, j.guid)
	if err != nil {
		return err
	}
	if !isPending(body) {
		return fmt.Errorf("the PDF whose node was to be killed ended first; give it more pages: %s", body)
	}
	return pause(ctx, look)
}
