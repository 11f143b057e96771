package admin

import (
	"context"
	"maps"
	"slices"
	"time"

	"paperfs/remote/service/store"
)

// lookTogether is how many contents a check asks an object store for at once.
const lookTogether = 8

// listed is content that can be listed.
type listed interface {
	Entries(ctx context.Context, visit func(key string, modified time.Time) error) error
}

// CheckApart compares records with content that lies apart from them, such as in an
// object store. Services may go on. There is nothing to fix: content that no record names is
// removed by what its ledger tells, and of the rest nobody knows whose it is.
func CheckApart(ctx context.Context, records store.Store, contents Sized, o CheckOptions) (*CheckReport, error) {
	o.Fix = false
	c := &check{options: o, read: records.Read, contents: contents, together: lookTogether}
	holdings, err := c.records(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.holdings(ctx, holdings); err != nil {
		return nil, err
	}
	if all, ok := contents.(listed); ok {
		return &c.report, c.strangers(ctx, records, all, holdings)
	}
	return &c.report, nil
}

// askTogether is of how many contents the ledger is asked at once.
const askTogether = 1000

// strangers finds content that neither a record nor the ledger names. The ledger is told
// before content is sent, so that it is asked after that was listed.
func (c *check) strangers(ctx context.Context, records store.Ledger, contents listed, holdings []store.Holding) error {
	named := map[string]bool{}
	for _, h := range holdings {
		named[h.Key] = true
	}
	since := map[string]time.Time{} // of those that the ledger is to be asked of
	ask := func() error {
		unknown, err := records.Unknown(ctx, slices.Sorted(maps.Keys(since)))
		for _, key := range unknown {
			if _, gone := c.contents.Size(ctx, key); store.IsNotFound(gone) {
				continue // a janitor removed it and forgot it by now
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
		if since[key] = modified; len(since) < askTogether {
			return nil
		}
		return ask()
	})
	if err != nil {
		return err
	}
	return ask()
}
