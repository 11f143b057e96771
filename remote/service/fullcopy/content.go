package fullcopy

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"paperfs/remote/service/store"
)

// Source is where contents are copied from.
type Source interface {
	store.Contents
	// Size returns the size of content in bytes; store.ErrNotFound if there is none.
	Size(ctx context.Context, key string) (int64, error)
}

// Target is where contents are copied to.
type Target interface {
	Source
	// CreateAs starts content with a key that does not exist yet.
	CreateAs(ctx context.Context, key string) (store.Draft, error)
}

// ContentOptions say how to copy.
type ContentOptions struct {
	// Verify reads all content again in the target, including that of an earlier copy.
	Verify   bool
	Progress func(done, all int) // called with the number of contents handled, one call at a time; may be nil
}

// ContentReport is the result of a copy. The sentences are for people.
type ContentReport struct {
	Copied  int      `json:"copied"`  // contents
	There   int      `json:"there"`   // contents that were already there
	Bytes   int64    `json:"bytes"`   // copied
	Missing []string `json:"missing"` // records whose content is missing in the source
	Wrong   []string `json:"wrong"`   // records whose content does not match them; it is not copied

	Failed []string `json:"-"` // keys of missing or wrong content
}

// workers is how many contents are copied concurrently: most are small and spend their time
// waiting for requests.
const workers = 4

// CopyContent copies the contents that holdings name. Several holdings may name the same content.
func CopyContent(ctx context.Context, holdings []store.Holding, from Source, to Target, o ContentOptions) (ContentReport, error) {
	holdings = slices.Clone(holdings)
	slices.SortStableFunc(holdings, byKey)
	holdings = slices.CompactFunc(holdings, func(a, b store.Holding) bool { return a.Key == b.Key })
	c := &contentCopy{from: from, to: to, options: o, all: len(holdings), report: ContentReport{Missing: []string{}, Wrong: []string{}}} // never nil: JSON shows them
	work, going := errgroup.WithContext(ctx)
	work.SetLimit(workers)
	for _, h := range holdings {
		if going.Err() != nil {
			break
		}
		work.Go(func() error { return c.copyOne(going, h) })
	}
	err := work.Wait()
	if err == nil && c.done < c.all {
		err = ctx.Err()
	}
	slices.Sort(c.report.Missing)
	slices.Sort(c.report.Wrong)
	return c.report, err
}

// byKey sorts by key, and for one key puts the holding with more information first.
func byKey(a, b store.Holding) int {
	if order := strings.Compare(a.Key, b.Key); order != 0 {
		return order
	}
	switch {
	case a.SHA256 != nil && b.SHA256 == nil:
		return -1
	case a.SHA256 == nil && b.SHA256 != nil:
		return 1
	}
	return int(min(1, max(-1, b.Size-a.Size)))
}

type contentCopy struct {
	from    Source
	to      Target
	options ContentOptions
	all     int

	mu     sync.Mutex // guards the fields below
	done   int
	report ContentReport
}

// count updates the report and calls Progress.
func (c *contentCopy) count(change func(r *ContentReport)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.report)
	c.done++
	if c.options.Progress != nil {
		c.options.Progress(c.done, c.all)
	}
	return nil
}

// copyOne copies one content. Content in the target that matches its record is a good copy, whatever
// has happened to the source since.
func (c *contentCopy) copyOne(ctx context.Context, h store.Holding) error {
	atTarget, err := c.to.Size(ctx, h.Key)
	if store.IgnoreNotFound(err) != nil {
		return inTarget(h, err)
	}
	missing := err != nil
	if !missing && h.SHA256 != nil && atTarget == h.Size {
		return c.found(ctx, h, atTarget, *h.SHA256)
	}
	size, err := c.from.Size(ctx, h.Key)
	if store.IsNotFound(err) {
		return c.count(func(r *ContentReport) { r.Missing, r.Failed = append(r.Missing, h.What), append(r.Failed, h.Key) })
	}
	if err != nil {
		return inSource(h, err)
	}
	if h.Size >= 0 && size != h.Size {
		return c.wrong(h, fmt.Sprintf("%d bytes, but its record says %d", size, h.Size))
	}
	if !missing {
		return c.compare(ctx, h, size, atTarget)
	}
	sum, wrong, err := c.send(ctx, h, size)
	if err != nil {
		return err
	}
	if wrong != "" {
		return c.wrong(h, wrong)
	}
	if err := c.verify(ctx, h, size, sum); err != nil {
		return err
	}
	return c.count(func(r *ContentReport) { r.Copied, r.Bytes = r.Copied+1, r.Bytes+size })
}

func (c *contentCopy) wrong(h store.Holding, how string) error {
	return c.count(func(r *ContentReport) { r.Wrong, r.Failed = append(r.Wrong, h.What+": "+how), append(r.Failed, h.Key) })
}

func inSource(h store.Holding, err error) error {
	return fmt.Errorf("the content of %s in the source: %w", h.What, err)
}

func inTarget(h store.Holding, err error) error {
	return fmt.Errorf("the content of %s in the target: %w", h.What, err)
}

// compare compares existing content with the source if the record does not have its digest.
func (c *contentCopy) compare(ctx context.Context, h store.Holding, size, atTarget int64) error {
	switch {
	case atTarget == size && !c.options.Verify:
		return c.found(ctx, h, size, [32]byte{})
	case atTarget == size:
		sum, err := digest(ctx, c.from, h.Key, size)
		if err != nil {
			return inSource(h, err)
		}
		return c.found(ctx, h, size, sum)
	case h.Size >= 0:
		return fmt.Errorf("the content of %s has %d bytes in the target, but its record says %d: the target is not a copy", h.What, atTarget, h.Size)
	}
	return fmt.Errorf("the content of %s has %d bytes in the source and %d in the target, and its record does not say which is right", h.What, size, atTarget)
}

// found counts content that is already there.
func (c *contentCopy) found(ctx context.Context, h store.Holding, size int64, sum [32]byte) error {
	if err := c.verify(ctx, h, size, sum); err != nil {
		return err
	}
	return c.count(func(r *ContentReport) { r.There++ })
}

// send copies the bytes and returns their digest. It does not commit content that does not match
// its record.
func (c *contentCopy) send(ctx context.Context, h store.Holding, size int64) (sum [32]byte, wrong string, err error) {
	content, err := c.from.Open(ctx, h.Key, 0, size)
	if err != nil {
		return sum, "", inSource(h, err)
	}
	defer content.Close()
	draft, err := c.to.CreateAs(ctx, h.Key)
	if err != nil {
		return sum, "", inTarget(h, err)
	}
	defer draft.Discard()
	hash := sha256.New()
	source := &errReader{Reader: content}
	n, err := io.Copy(io.MultiWriter(draft, hash), source)
	switch {
	case source.err != nil:
		return sum, "", inSource(h, source.err)
	case err != nil:
		return sum, "", inTarget(h, err)
	case n != size:
		return sum, "", inSource(h, fmt.Errorf("%d bytes instead of %d: %w", n, size, io.ErrUnexpectedEOF))
	}
	hash.Sum(sum[:0])
	if h.SHA256 != nil && sum != *h.SHA256 {
		return sum, "its SHA-256 does not match its record", nil
	}
	if _, err = draft.Commit(); err != nil {
		return sum, "", inTarget(h, err)
	}
	return sum, "", nil
}

// errReader remembers why reading failed.
type errReader struct {
	io.Reader
	err error
}

func (r *errReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// verify reads the copy again.
func (c *contentCopy) verify(ctx context.Context, h store.Holding, size int64, want [32]byte) error {
	if !c.options.Verify {
		return nil
	}
	sum, err := digest(ctx, c.to, h.Key, size)
	switch {
	case err != nil:
		return inTarget(h, err)
	case sum == want:
		return nil
	case h.SHA256 != nil:
		return inTarget(h, errors.New("its SHA-256 does not match its record"))
	}
	return fmt.Errorf("the content of %s is not the same in the source and in the target, and its record does not say which is right", h.What)
}

func digest(ctx context.Context, from store.Contents, key string, size int64) (sum [32]byte, err error) {
	content, err := from.Open(ctx, key, 0, size)
	if err != nil {
		return sum, err
	}
	defer content.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, content)
	hash.Sum(sum[:0])
	return sum, err
}
