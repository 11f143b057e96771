package measure

import (
	"context"
	"fmt"
	"regexp"

	"paperfs/remote"
)

// Counter counts round trips to a database and rows from it.
type Counter interface {
	Count() (trips, rows int64)
}

// Cost is what one call costs in the database.
type Cost struct {
	Trips, Rows int64
	Bytes       int // of its answer
}

// Listings are queries for a complete list.
var Listings = []Query{
	{Name: "the tree, cold", op: remote.GetAllPapers, values: func(root string) []string { return []string{root} }},
	{Name: "the media, cold", op: remote.GetTree, values: func(string) []string { return nil }, renew: renewMedia},
}

// renewMedia is touch for media.
func renewMedia(ctx context.Context, c *Caller) error {
	body, err := c.Ask(ctx, remote.CreateDirectory, "0", "renewed")
	if err != nil {
		return err
	}
	found := directoryID.FindSubmatch(body)
	if found == nil {
		return fmt.Errorf("CreateDirectory was answered without an id: %s", body)
	}
	_, err = c.Ask(ctx, remote.DeleteDirectory, string(found[1]))
	return err
}

var directoryID = regexp.MustCompile(`<directoryid>(\d+)</directoryid>`)

// Cost counts what a query costs after a change. The service's background work counts, too,
// so Cost returns the least of several counts.
func (q Query) Cost(ctx context.Context, c *Caller, counter Counter) (least Cost, err error) {
	root, err := c.id(ctx, "/")
	if err != nil {
		return Cost{}, err
	}
	renew := q.renew
	if renew == nil {
		renew = func(ctx context.Context, c *Caller) error { return c.touch(ctx) }
	}
	for i := range repeated + 1 {
		if err := renew(ctx, c); err != nil {
			return Cost{}, err
		}
		trips, rows := counter.Count()
		body, err := c.Ask(ctx, q.op, q.values(root)...)
		if err != nil {
			return Cost{}, err
		}
		tripsNow, rowsNow := counter.Count()
		cost := Cost{tripsNow - trips, rowsNow - rows, len(body)}
		if i == 0 { // the first call also prepares statements
			continue
		}
		if i == 1 {
			least = cost
		}
		least.Trips, least.Rows = min(least.Trips, cost.Trips), min(least.Rows, cost.Rows)
	}
	return least, nil
}

// Askers is the number of callers of Walks.
const Askers = 16

// Walks returns how often the service reads the tree when many callers request it from one
// node at once after a change: the number of rows as a multiple of that for one caller.
func Walks(ctx context.Context, c *Caller, counter Counter) (float64, error) {
	one, err := c.rows(ctx, counter, 1)
	if err != nil {
		return 0, err
	}
	many, err := c.rows(ctx, counter, Askers)
	return float64(many) / float64(one), err
}

func (c *Caller) rows(ctx context.Context, counter Counter, callers int) (int64, error) {
	if err := c.touch(ctx); err != nil {
		return 0, err
	}
	_, before := counter.Count()
	err := c.tree(ctx, callers)
	_, after := counter.Count()
	return after - before, err
}
