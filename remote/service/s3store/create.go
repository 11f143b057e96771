package s3store

import (
	"context"

	"paperfs/remote/service/store"
)

// Create implements store.Contents. It sends nothing.
func (s *Store) Create(ctx context.Context) (store.Draft, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &draft{store: s, ctx: ctx}, nil
}

// CreateAs is Create for content that already has a key: a copy from another store. It discards
// the parts that an earlier attempt sent.
func (s *Store) CreateAs(ctx context.Context, key string) (store.Draft, error) {
	if _, err := s.name(key); err != nil {
		return nil, err
	}
	return &draft{store: s, ctx: ctx, key: key, copied: true}, ctx.Err()
}

func (d *draft) Write(p []byte) (int, error) {
	if !d.intended.IsZero() { // the uploader may take days for the next part
		d.fail(d.intend())
	}
	written := 0
	for len(p) > 0 && d.failed == nil {
		if len(d.part) == partSize {
			d.fail(d.begin())
			continue
		}
		n := min(len(p), partSize-len(d.part))
		if !d.large && len(d.part)+n > large {
			d.fail(d.enlarge())
			continue
		}
		d.part = append(d.grown(n), p[:n]...)
		p, written = p[n:], written+n
		d.all += int64(n)
	}
	return written, d.failed
}

// enlarge moves the collected bytes to the memory for large drafts.
func (d *draft) enlarge() error {
	if err := d.takeSlot(); err != nil {
		return err
	}
	part, err := d.store.parts.take()
	if err != nil {
		<-d.store.slots
		d.large = false
		return err
	}
	d.part = append(part, d.part...)
	return nil
}

// grown returns the part with room for more bytes. Small content uses little memory.
func (d *draft) grown(more int) []byte {
	need := len(d.part) + more
	if need <= cap(d.part) {
		return d.part
	}
	larger := make([]byte, len(d.part), min(large, max(need, 2*cap(d.part)))) // a large draft already has all its memory
	copy(larger, d.part)
	return larger
}

// Small implements store.Draft. Records are on another disk, and their store itself reports when
// that is full.
func (d *draft) Small() ([]byte, error) {
	if d.failed != nil || d.all > store.SmallContent {
		return nil, d.failed
	}
	if d.part == nil {
		d.part = []byte{}
	}
	return d.part, nil
}
