package admin

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync"

	"golang.org/x/sync/errgroup"

	"paperfs/remote/service/filestore"
	"paperfs/remote/service/store"
)

// Sized is content whose size can be queried.
type Sized interface {
	store.Contents
	// Size returns the size of content in bytes; store.ErrNotFound if there is none.
	Size(ctx context.Context, key string) (int64, error)
}

type check struct {
	admin    *Admin
	read     func(context.Context, func(store.Reader) error) error
	contents Sized
	files    *filestore.Store // the contents; nil if they are not files
	workers  int              // contents that are checked concurrently
	options  CheckOptions

	mu     sync.Mutex // guards the fields below while holdings are checked
	done   int
	report CheckReport
}

// holdings checks each content that records name.
func (c *check) holdings(ctx context.Context, all []store.Holding) error {
	work, going := errgroup.WithContext(ctx)
	work.SetLimit(c.workers)
	for _, h := range all {
		if going.Err() != nil {
			break
		}
		work.Go(func() error {
			err := c.holding(going, h)
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.done++; c.options.Progress != nil {
				c.options.Progress(c.done, len(all))
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// add adds a sentence to a list of the report.
func (c *check) add(to *[]string, sentence string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*to = append(*to, sentence)
}

// records starts the report with the faults in the records alone, and returns the contents that
// they name.
func (c *check) records(ctx context.Context) (holdings []store.Holding, err error) {
	err = c.read(ctx, func(tx store.Reader) error {
		holdings = nil
		c.report = CheckReport{Faults: []string{}, Missing: []string{}, Wrong: []string{}, Orphans: []string{}, Fixed: []string{}} // never nil: JSON shows them
		faults, err := tx.Faults()
		if err != nil {
			return err
		}
		covered, err := covered(tx)
		if err != nil {
			return err
		}
		c.report.Faults = append(append(c.report.Faults, faults...), covered...)
		if err := tx.SmallFiles(func(h store.Holding, data []byte) error { c.small(h, data); return nil }); err != nil {
			return err
		}
		return tx.Holdings(func(h store.Holding) error { holdings = append(holdings, h); return nil })
	})
	c.report.Contents = len(holdings)
	return holdings, err
}

// small checks content that is stored in its record.
func (c *check) small(h store.Holding, data []byte) {
	switch {
	case data == nil:
		c.report.Missing = append(c.report.Missing, h.What)
	case int64(len(data)) != h.Size:
		c.report.Wrong = append(c.report.Wrong, fmt.Sprintf("%s: %d bytes, but its record says %d", h.What, len(data), h.Size))
	case c.options.Deep && sha256.Sum256(data) != *h.SHA256:
		c.report.Wrong = append(c.report.Wrong, h.What+": its SHA-256 does not match its record")
	}
}

// holding checks content that is not stored in its record.
func (c *check) holding(ctx context.Context, h store.Holding) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	wrong, err := c.compare(ctx, h)
	if !errors.Is(err, store.ErrNotFound) {
		if wrong != "" {
			c.add(&c.report.Wrong, h.What+": "+wrong)
		}
		return err
	}
	if still, err := c.isNamed(ctx, h.Key); err != nil || !still {
		return err // replaced since
	}
	if c.options.Fix && c.files != nil {
		back, err := c.files.Restore(h.Key)
		if err != nil {
			return err
		}
		if back {
			c.add(&c.report.Fixed, h.What+": its content was restored from the trash")
			return nil
		}
	}
	c.add(&c.report.Missing, h.What)
	return nil
}

// compare returns what is wrong with content; "" if nothing is.
func (c *check) compare(ctx context.Context, h store.Holding) (wrong string, err error) {
	size, err := c.contents.Size(ctx, h.Key)
	if err != nil {
		return "", err
	}
	if h.Size >= 0 && size != h.Size {
		return fmt.Sprintf("%d bytes, but its record says %d", size, h.Size), nil
	}
	if h.Size < 0 && size < h.Least {
		return fmt.Sprintf("%d bytes, but its records need %d", size, h.Least), nil
	}
	if !c.options.Deep || h.SHA256 == nil {
		return "", nil
	}
	content, err := c.contents.Open(ctx, h.Key, 0, size)
	if err != nil {
		return "", err
	}
	defer content.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, content)
	switch {
	case errors.Is(err, store.ErrAway), ctx.Err() != nil:
		return "", err
	case err != nil:
		return err.Error(), nil
	case [32]byte(sum.Sum(nil)) != *h.SHA256:
		return "its SHA-256 does not match its record", nil
	}
	return "", nil
}

// isNamed reports whether a record names a key now.
func (c *check) isNamed(ctx context.Context, key string) (found bool, err error) {
	err = c.read(ctx, func(tx store.Reader) error {
		keys, err := tx.ContentKeys(key)
		found = len(keys) > 0
		return err
	})
	return found, err
}
