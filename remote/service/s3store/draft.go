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
	// partSize is how many bytes are sent at a time, of all parts but the last.
	partSize = 8 << 20
	// maxParts is how many parts an object may have.
	maxParts = 10_000
	// intendAgain is how often the ledger is told of content that is being sent.
	intendAgain = time.Hour
	// intendPause is how long it is left alone after it could not be told.
	intendPause = time.Minute
	// intendTime is how long it may take then.
	intendTime = 10 * time.Second
)

// draft collects content in memory and sends it part by part: one is sent while the
// next is collected. Content of one part is sent as a whole.
type draft struct {
	store *Store
	ctx   context.Context

	large bool   // it has its place in the room of the store
	part  []byte // collected; of partMemory where it is large
	spare []byte // the memory of the part that was sent before, of partMemory; nil = none yet
	all   int64  // bytes written

	key      string    // "" before the first part, where nobody gave one
	copied   bool      // the key is given: there may be parts of an attempt that was killed
	intended time.Time // when the ledger was told last; the zero time for never
	refused  time.Time // when it could not be told, as intended
	upload   string    // id of the multipart upload; "" = none
	others   bool      // there may be more, whose ids did not come
	sent     []minio.CompletePart
	sending  chan sentPart // nil while no part is on its way
	stop     context.CancelFunc
	failed   error
}

// sentPart is what came of a part.
type sentPart struct {
	part minio.CompletePart
	err  error
}

func (d *draft) fail(err error) {
	if d.failed == nil {
		d.failed = err
	}
}

// intend tells the ledger of the content before it is sent, and that it still is. Where it
// cannot be told again, the content goes on until the ledger may have given it up: whether
// it came in time is decided by the change that keeps it.
func (d *draft) intend() error {
	// By the clock on the wall: a machine may have slept.
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

// announce asks the ledger. A sender is not held up for long where he can go on.
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

// enter waits until the memory of large drafts has room for one more.
func (d *draft) enter() error {
	wait := time.NewTimer(roomTime)
	defer wait.Stop()
	select {
	case d.store.room <- struct{}{}:
		d.large = true
		return nil
	case <-d.ctx.Done():
		return d.ctx.Err()
	case <-wait.C:
		return fmt.Errorf("collect content: %w: %d large ones are on their way to the object store", store.ErrAway, mostLarge)
	}
}

// leave gives the memory back. No part is on its way then.
func (d *draft) leave() {
	if d.large {
		d.store.parts.give(d.part)
		d.store.parts.give(d.spare)
		<-d.store.room
	}
	d.large, d.part, d.spare = false, nil, nil
}
