package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"paperfs/remote"
)

// timeOf returns how long do takes.
func timeOf(do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}

// together runs do in goroutines, each an attempt of its own.
func together(many int, do func(int)) error {
	errs := make([]error, many)
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() { errs[i] = attempt(func() { do(i) }) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// repeated is how often the tree is measured.
const repeated = 5

// measureTree requests the whole tree from every node at once, after a change and again. cold is the
// median time until all nodes have computed and sent their answers; kept is that with cached answers.
func measureTree(ctx context.Context, c *caller) (cold, kept time.Duration) {
	var colds, kepts []time.Duration
	for i := range repeated + 1 {
		id := got(c.CreateCategory(ctx, c.root, fmt.Sprint("touched ", i), fmt.Sprint("touched-", i))) // earlier answers end
		took := timeOf(func() { c.tree(ctx) })
		again := timeOf(func() { c.tree(ctx) })
		must(c.DeletePaper(ctx, id))
		if i > 0 { // the first prepared the statements
			colds, kepts = append(colds, took), append(kepts, again)
		}
	}
	return median(colds), median(kepts)
}

// measureChanges makes writers send small changes for a duration, but each at least one cycle, to the tenants in turn: a
// category is created, renamed, moved and deleted. It leaves nothing behind.
func measureChanges(ctx context.Context, tenants []*caller, writers int, d time.Duration) (perSecond float64, one time.Duration) {
	shelves := make([]int64, len(tenants))
	for i, c := range tenants {
		shelves[i] = got(c.CreateCategory(ctx, c.root, "shelf", "shelf"))
		for n := range c.nodes.urls { // each node looks the caller up, and prepares statements
			cycle(ctx, c, shelves[i], fmt.Sprint("warm", n))
		}
	}
	times := make([][]time.Duration, writers)
	took := timeOf(func() {
		began := time.Now()
		must(together(writers, func(w int) {
			for i := 0; i == 0 || time.Since(began) < d; i++ {
				at := (w + i) % len(tenants)
				times[w] = append(times[w], cycle(ctx, tenants[at], shelves[at], fmt.Sprintf("w%d-%d", w, i))...)
			}
		}))
	})
	for i, c := range tenants {
		must(c.DeletePaper(ctx, shelves[i]))
	}
	all := slices.Concat(times...)
	return float64(len(all)) / took.Seconds(), median(all)
}

// cycle makes four changes and returns the time of each.
func cycle(ctx context.Context, c *caller, shelf int64, name string) []time.Duration {
	var id int64
	return []time.Duration{
		timeOf(func() { id = got(c.CreateCategory(ctx, c.root, name, name)) }),
		timeOf(func() { must(c.ChangePaperUrl(ctx, id, name+"-renamed")) }),
		timeOf(func() { must(c.MovePaper(ctx, id, shelf)) }),
		timeOf(func() { must(c.DeletePaper(ctx, id)) }),
	}
}

// longFile is a file on the disk that goes up and comes down.
type longFile struct {
	content
	path string
}

func (f longFile) Size() int64 { return f.size }

func (f longFile) Open() (io.ReadCloser, error) { return os.Open(f.path) }

// down reads the file and compares it.
func (f longFile) down(ctx context.Context, c *caller, there remote.Upload) {
	r := got(c.Download(ctx, there.URL, remote.Part{}))
	defer r.Close()
	if got(sumOf(r)) != f.content {
		must(errors.New("what came back of the file is not what was sent"))
	}
}
