package s3store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/minio/minio-go/v7"

	"paperfs/remote/service/store"
)

const (
	// partSize is the size of all parts except the last.
	partSize = 8 << 20
	// maxParts is how many parts an object may have.
	maxParts = 10_000
	// intendAgain is how often the intention is renewed while content is being sent.
	intendAgain = time.Hour
	// intendPause is how long a draft waits after a failed renewal.
	intendPause = time.Minute
	// intendTime limits a renewal.
	intendTime = 10 * time.Second
)

// draft collects content in memory and sends it part by part: one part is sent while the next is
// collected. Content that fits in one part is sent as a whole.
type draft struct {
	store *Store
	ctx   context.Context

	large bool   // it occupies one of the store's slots
	part  []byte // collected bytes; from partMemory if the draft is large
	spare []byte // the memory of the previous part, from partMemory; nil = none yet
	all   int64  // bytes written

	key      string    // "" before the first part, unless the caller gave one
	copied   bool      // the caller gave the key: a killed attempt may have left parts
	intended time.Time // when the intention was last recorded; the zero time for never
	refused  time.Time // when a renewal last failed
	upload   string    // id of the multipart upload; "" = none
	others   bool      // there may be further uploads, whose ids were lost
	sent     []minio.CompletePart
	sending  chan sentPart // nil while no part is being sent
	stop     context.CancelFunc
	failed   error
}

// sentPart is the outcome of sending a part.
type sentPart struct {
	part minio.CompletePart
	err  error
}

func (d *draft) fail(err error) {
	if d.failed == nil {
		d.failed = err
	}
}

// intend records in the ledger that the content is about to be sent, and renews that while it is
// being sent. If a renewal fails, the draft continues until the ledger may have given up the
// content: the change that keeps the content decides whether it came in time.
func (d *draft) intend() error {
	// Wall-clock time: the machine may have been suspended.
	now := time.Now().Round(0)
	if now.Sub(d.intended) < intendAgain || now.Sub(d.refused) < intendPause {
		return nil
	}
	first := d.intended.IsZero()
	if d.key == "" {
		d.key = uuid.NewString()
	}
	err := d.announce(first)
	switch {
	case err == nil:
		d.intended = now
		return nil
	case first, errors.Is(err, store.ErrGivenUp), d.ctx.Err() != nil, now.Sub(d.intended) >= d.store.ages.intended:
		return fmt.Errorf("announce content: %w", err)
	}
	d.refused = time.Now().Round(0)
	return nil
}

// announce calls the ledger. A renewal has a short timeout, since the draft can continue without
// it.
func (d *draft) announce(first bool) error {
	if first {
		return d.store.ledger.Intend(d.ctx, d.key)
	}
	ctx, cancel := context.WithTimeout(d.ctx, intendTime)
	defer cancel()
	err := d.store.ledger.Intend(ctx, d.key)
	if err != nil && ctx.Err() != nil && d.ctx.Err() == nil {
		return fmt.Errorf("the records do not answer: %w: %w", store.ErrAway, err)
	}
	return err
}

// takeSlot waits for a slot for large drafts.
func (d *draft) takeSlot() error {
	wait := time.NewTimer(slotTime)
	defer wait.Stop()
	select {
	case d.store.slots <- struct{}{}:
		d.large = true
		return nil
	case <-d.ctx.Done():
		return d.ctx.Err()
	case <-wait.C:
		return fmt.Errorf("collect content: %w: %d large contents are already being sent", store.ErrAway, maxLarge)
	}
}

// release releases the memory. No part may be in transit.
func (d *draft) release() {
	if d.large {
		d.store.parts.give(d.part)
		d.store.parts.give(d.spare)
		<-d.store.slots
	}
	d.large, d.part, d.spare = false, nil, nil
}
