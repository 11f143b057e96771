package admin

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/filestore"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// CheckOptions say how far a check goes.
type CheckOptions struct {
	Fix  bool // puts right what can be put right without a loss
	Deep bool // reads all content and compares its SHA-256

	Progress func(done, all int) // is told how far the contents are; may be nil
}

// CheckReport is what a check found. The sentences are for people.
type CheckReport struct {
	Contents int      `json:"contents"` // that records name
	Faults   []string `json:"faults"`   // records that contradict themselves
	Missing  []string `json:"missing"`  // records whose content is not there
	Wrong    []string `json:"wrong"`    // records whose content has another size or SHA-256
	Orphans  []string `json:"orphans"`  // keys of content that no record names, older than a day
	Young    int      `json:"young"`    // younger content that no record names: it may be about to get one
	Fixed    []string `json:"fixed"`    // what was put right; it is in none of the lists above
}

// Sound reports whether nothing is wrong.
func (r *CheckReport) Sound() bool {
	return len(r.Faults)+len(r.Missing)+len(r.Wrong)+len(r.Orphans) == 0
}

// orphanAge is how old content without a record is before it is one.
const orphanAge = 24 * time.Hour

// Check compares records and content. The service may go on: what changes
// under the check is looked at again. Without Fix it changes no file.
func (m *Admin) Check(ctx context.Context, o CheckOptions) (*CheckReport, error) {
	if contents, ok := m.apart.(Sized); ok {
		return CheckApart(ctx, m.store, contents, o)
	}
	if m.away != nil {
		return nil, m.away
	}
	c := &check{admin: m, options: o, read: m.still, files: filestore.Look(filepath.Join(m.data, datadir.ContentDir)), together: 1}
	if o.Fix {
		var err error
		if c.files, err = m.contents(); err != nil {
			return nil, err
		}
		c.read = m.store.Read
	}
	c.contents = c.files
	holdings, err := c.records(ctx)
	if err != nil {
		return nil, datadir.ExplainDamage(m.data, err)
	}
	if err := c.holdings(ctx, holdings); err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, h := range holdings {
		named[h.Key] = true
	}
	return &c.report, c.orphans(ctx, named)
}

// still reads the records and leaves them as they are, with the log of a service
// that was killed.
func (m *Admin) still(ctx context.Context, f func(store.Reader) error) error {
	return sqlitestore.ReadStill(ctx, filepath.Join(m.data, datadir.DatabaseFile), f)
}

type check struct {
	admin    *Admin
	read     func(context.Context, func(store.Reader) error) error
	contents Sized
	files    *filestore.Store // the contents; nil where they are no files
	together int              // contents that are looked at at once
	options  CheckOptions

	mu     sync.Mutex // guards the fields below while holdings are looked at
	done   int
	report CheckReport
}

// holdings checks each content that records name.
func (c *check) holdings(ctx context.Context, all []store.Holding) error {
	work, going := errgroup.WithContext(ctx)
	work.SetLimit(c.together)
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

// records begins the report with what the records alone tell, and returns what
// content they name.
func (c *check) records(ctx context.Context) (holdings []store.Holding, err error) {
	err = c.read(ctx, func(tx store.Reader) error {
		holdings = nil
		c.report = CheckReport{Faults: []string{}, Missing: []string{}, Wrong: []string{}, Orphans: []string{}, Fixed: []string{}} // never nil: JSON shows them
		faults, err := tx.Faults()
		if err != nil {
			return err
		}
		c.report.Faults = append(c.report.Faults, faults...)
		if err := tx.SmallFiles(func(h store.Holding, data []byte) error { c.small(h, data); return nil }); err != nil {
			return err
		}
		return tx.Holdings(func(h store.Holding) error { holdings = append(holdings, h); return nil })
	})
	c.report.Contents = len(holdings)
	return holdings, err
}

// small checks content that is kept with its record.
func (c *check) small(h store.Holding, data []byte) {
	switch {
	case data == nil:
		c.report.Missing = append(c.report.Missing, h.What)
	case int64(len(data)) != h.Size:
		c.report.Wrong = append(c.report.Wrong, fmt.Sprintf("%s: %d bytes, but its record says %d", h.What, len(data), h.Size))
	case c.options.Deep && sha256.Sum256(data) != *h.SHA256:
		c.report.Wrong = append(c.report.Wrong, h.What+": its SHA-256 is not that of its record")
	}
}

// holding checks content that is not with its record.
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
	if still, err := c.named(ctx, h.Key); err != nil || !still {
		return err // replaced by now
	}
	if c.options.Fix && c.files != nil {
		back, err := c.files.Restore(h.Key)
		if err != nil {
			return err
		}
		if back {
			c.add(&c.report.Fixed, h.What+": its content is back from the trash")
			return nil
		}
	}
	c.add(&c.report.Missing, h.What)
	return nil
}

// compare says what is wrong with content, "" for nothing.
func (c *check) compare(ctx context.Context, h store.Holding) (wrong string, err error) {
	size, err := c.contents.Size(ctx, h.Key)
	if err != nil {
		return "", err
	}
	if h.Size >= 0 && size != h.Size {
		return fmt.Sprintf("%d bytes, but its record says %d", size, h.Size), nil
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
		return "its SHA-256 is not that of its record", nil
	}
	return "", nil
}

// named looks whether a record names a key now.
func (c *check) named(ctx context.Context, key string) (found bool, err error) {
	err = c.read(ctx, func(tx store.Reader) error {
		keys, err := tx.ContentKeys(key)
		found = len(keys) > 0
		return err
	})
	return found, err
}

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
		if found, err := c.named(ctx, key); err != nil || found {
			return err
		}
		c.report.Orphans = append(c.report.Orphans, key)
		return nil
	}
	// Inside a change, so that no record comes to name it.
	return c.admin.store.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		keys, err := tx.ContentKeys(key)
		if err != nil || len(keys) > 0 {
			return err
		}
		if err := c.files.Discard(key); err != nil {
			return err
		}
		c.report.Fixed = append(c.report.Fixed, "content "+key+" has no record: it is in the trash")
		return nil
	})
}
