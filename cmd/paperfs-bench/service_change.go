package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"paperfs/remote"
)

// rate is the speed of small changes.
type rate struct {
	PerSecond float64
	Median    time.Duration // of one change, measured by its caller
}

// measureChanges makes writers send small changes for a duration, each to the tenants in turn: a
// category is created, renamed, moved and deleted. It leaves nothing behind.
func measureChanges(ctx context.Context, tenants []*caller, writers int, d time.Duration) (rate, error) {
	grounds := make([]ground, len(tenants))
	for i, c := range tenants {
		if err := grounds[i].prepare(ctx, c); err != nil {
			return rate{}, err
		}
	}
	if err := warmGrounds(ctx, grounds); err != nil {
		return rate{}, err
	}
	measured, err := change(ctx, grounds, writers, d)
	if err != nil {
		return rate{}, err
	}
	for i := range grounds {
		if err := grounds[i].clear(ctx); err != nil {
			return rate{}, err
		}
	}
	return measured, nil
}

// change makes each writer go through at least one cycle, however short d is.
func change(ctx context.Context, grounds []ground, writers int, d time.Duration) (rate, error) {
	began := time.Now()
	done := make([][]time.Duration, writers)
	errs := make([]error, writers)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := 0; errs[w] == nil && (i == 0 || time.Since(began) < d); i++ {
				g := &grounds[(w+i)%len(grounds)]
				errs[w] = g.cycle(ctx, fmt.Sprintf("w%d-%d", w, i), &done[w])
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	if err := cmp.Or(errs...); err != nil { // one error is enough: all call the same service
		return rate{}, err
	}
	times := slices.Concat(done...)
	return rate{float64(len(times)) / took.Seconds(), median(times)}, nil
}

// warmGrounds makes each node look up the callers and prepare statements.
func warmGrounds(ctx context.Context, grounds []ground) error {
	var unused []time.Duration
	for i := range grounds {
		for n := range grounds[i].Nodes {
			if err := grounds[i].cycle(ctx, fmt.Sprint("warm", n), &unused); err != nil {
				return err
			}
		}
	}
	return nil
}

// ground is where the changes of a tenant are made.
type ground struct {
	*caller
	root, shelf string // ids of categories
}

func (g *ground) prepare(ctx context.Context, c *caller) (err error) {
	g.caller = c
	if g.root, err = c.id(ctx, "/"); err == nil {
		g.shelf, err = c.make(ctx, remote.CreateCategory, g.root, "shelf", "shelf")
	}
	return err
}

func (g *ground) clear(ctx context.Context) error {
	_, err := g.ask(ctx, remote.DeletePaper, g.shelf)
	return err
}

// cycle makes four changes and records the time of each.
func (g *ground) cycle(ctx context.Context, name string, times *[]time.Duration) error {
	var id string
	for _, change := range []func() error{
		func() (err error) { id, err = g.make(ctx, remote.CreateCategory, g.root, name, name); return err },
		func() error { _, err := g.ask(ctx, remote.ChangePaperUrl, id, name+"-renamed"); return err },
		func() error { _, err := g.ask(ctx, remote.MovePaper, id, g.shelf); return err },
		func() error { _, err := g.ask(ctx, remote.DeletePaper, id); return err },
	} {
		began := time.Now()
		if err := change(); err != nil {
			return err
		}
		*times = append(*times, time.Since(began))
	}
	return nil
}
