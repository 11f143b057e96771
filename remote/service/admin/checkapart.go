package admin

import (
	"context"
	"maps"
	"slices"
	"time"

	"paperfs/remote/service/store"
)

// checkWorkers is how many contents a check of an object store examines concurrently.
const checkWorkers = 8

// listed is content that can be listed.
type listed interface {
	Entries(ctx context.Context, visit func(key string, modified time.Time) error) error
}

// CheckApart compares records with content outside the data directory, such as in an object
// store. Services may keep running. It fixes nothing: the ledger sees to the removal of unused
// content, and the owner of other content is unknown.
func CheckApart(ctx context.Context, records store.Store, contents Sized, o CheckOptions) (*CheckReport, error) {
	o.Fix = false
	c := &check{options: o, read: records.Read, contents: contents, workers: checkWorkers}
	holdings, err := c.records(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.holdings(ctx, holdings); err != nil {
		return nil, err
	}
	if all, ok := contents.(listed); ok {
		return &c.report, c.unknownContents(ctx, records, all, holdings)
	}
	return &c.report, nil
}

// askBatch is how many contents each query of the ledger covers.
const askBatch = 1000

// unknownContents finds content that neither a record nor the ledger names. A service records
// content in the ledger before it sends it, so the ledger is asked after the listing.
func (c *check) unknownContents(ctx context.Context, records store.Ledger, contents listed, holdings []store.Holding) error {
	named := map[string]bool{}
	for _, h := range holdings {
		named[h.Key] = true
	}
	since := map[string]time.Time{} // those to look up in the ledger
	ask := func() error {
		unknown, err := records.Unknown(ctx, slices.Sorted(maps.Keys(since)))
		for _, key := range unknown {
			if _, gone := c.contents.Size(ctx, key); store.IsNotFound(gone) {
				continue // a janitor has removed it since
			}
			if time.Since(since[key]) < orphanAge {
				c.report.Young++
			} else {
				c.report.Orphans = append(c.report.Orphans, key)
			}
		}
		clear(since)
		return err
	}
	err := contents.Entries(ctx, func(key string, modified time.Time) error {
		if named[key] {
			return nil
		}
		if since[key] = modified; len(since) < askBatch {
			return nil
		}
		return ask()
	})
	if err != nil {
		return err
	}
	return ask()
}
