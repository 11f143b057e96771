package admin

import (
	"context"
	"time"

	"paperfs/remote/service/filestore"
	"paperfs/remote/service/store"
)

// orphanAge is the minimum age of content without a record before it counts as an orphan.
const orphanAge = 24 * time.Hour

func (c *check) orphans(ctx context.Context, named map[string]bool) error {
	var unnamed []string
	err := c.files.Entries(func(e filestore.Entry) error {
		switch {
		case named[e.Key]:
		case time.Since(e.ModTime()) < orphanAge:
			c.report.Young++
		default:
			unnamed = append(unnamed, e.Key)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, key := range unnamed {
		if err := c.orphan(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

func (c *check) orphan(ctx context.Context, key string) error {
	if !c.options.Fix {
		if found, err := c.isNamed(ctx, key); err != nil || found {
			return err
		}
		c.report.Orphans = append(c.report.Orphans, key)
		return nil
	}
	// Inside a change, so that no record can start to name it.
	return c.admin.store.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		keys, err := tx.ContentKeys(key)
		if err != nil || len(keys) > 0 {
			return err
		}
		if err := c.files.Discard(key); err != nil {
			return err
		}
		c.report.Fixed = append(c.report.Fixed, "content "+key+" had no record: it was moved to the trash")
		return nil
	})
}
