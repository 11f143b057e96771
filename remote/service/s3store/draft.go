package s3store

import (
	"context"
	"errors"
	"fmt"
	"io"
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
)

// draft collects content in memory and sends it part by part: one is sent while the
// next is collected. Content of one part is sent as a whole.
type draft struct {
	store *Store
	ctx   context.Context

	large bool   // it has its place in the room of the store
	part  []byte // collected
	spare []byte // the memory of the part that was sent before; nil = none yet
	all   int64  // bytes written

	key      string    // "" before the first part, where nobody gave one
	copied   bool      // the key is given: there may be parts of an attempt that was killed
	intended time.Time // when the ledger was told last; the zero time for never
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

func (d *draft) Write(p []byte) (int, error) {
	written := 0
	for len(p) > 0 && d.failed == nil {
		if len(d.part) == partSize {
			d.fail(d.begin())
			continue
		}
		n := min(len(p), partSize-len(d.part))
		if !d.large && len(d.part)+n > large {
			d.fail(d.enter())
			continue
		}
		d.part = append(d.grown(n), p[:n]...)
		p, written = p[n:], written+n
		d.all += int64(n)
	}
	return written, d.failed
}

// grown is the part with room for more. Small content takes little memory.
func (d *draft) grown(more int) []byte {
	need := len(d.part) + more
	if need <= cap(d.part) {
		return d.part
	}
	larger := make([]byte, len(d.part), min(partSize, max(need, 2*cap(d.part))))
	copy(larger, d.part)
	return larger
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

// leave gives the memory back.
func (d *draft) leave() {
	if d.large {
		<-d.store.room
	}
	d.large, d.part, d.spare = false, nil, nil
}

func (d *draft) fail(err error) {
	if d.failed == nil {
		d.failed = err
	}
}

// Small implements store.Draft. The records have a disk of their own, and say
// themselves when it is full.
func (d *draft) Small() ([]byte, error) {
	if d.failed != nil || d.all > store.SmallContent {
		return nil, d.failed
	}
	if d.part == nil {
		d.part = []byte{}
	}
	return d.part, nil
}

// intend tells the ledger of the content before it is sent, and that it still is.
func (d *draft) intend() error {
	// By the clock on the wall: a machine may have slept.
	if time.Now().Round(0).Sub(d.intended) < intendAgain {
		return nil
	}
	if d.key == "" {
		d.key = uuid.NewString()
	}
	now := time.Now().Round(0)
	if err := d.store.ledger.Intend(d.ctx, d.key); err != nil {
		return fmt.Errorf("announce content: %w", err)
	}
	d.intended = now
	return nil
}

// begin sends the part that is full, beside the caller.
func (d *draft) begin() error {
	if err := d.wait(); err != nil {
		return err
	}
	if err := d.intend(); err != nil {
		return err
	}
	name, err := d.store.name(d.key)
	if err != nil {
		return err
	}
	if d.upload == "" {
		ctx, cancel := bounded(d.ctx)
		defer cancel()
		if d.copied {
			if err := d.store.core.RemoveIncompleteUpload(ctx, d.store.place.Bucket, name); err != nil {
				return explain(d.ctx, "remove what was sent of content before", err)
			}
		}
		if err := d.beginUpload(ctx, name); err != nil {
			return err
		}
	}
	number := len(d.sent) + 1
	if number > maxParts {
		return fmt.Errorf("content is larger than %d GiB, which is the limit", int64(partSize)*maxParts>>30)
	}
	ctx, cancel := bounded(d.ctx)
	d.stop, d.sending = cancel, make(chan sentPart, 1)
	part, upload, sending := d.part, d.upload, d.sending
	go func() { sending <- d.store.sendPart(ctx, name, upload, number, part) }()
	if d.spare == nil {
		d.spare = make([]byte, 0, partSize) // at once: growing would leave as much again
	}
	d.part, d.spare = d.spare[:0], part
	return nil
}

// wait waits for the part that is on its way.
func (d *draft) wait() error {
	if d.sending == nil {
		return nil
	}
	came := <-d.sending
	d.sending = nil
	d.stop()
	if came.err != nil {
		return came.err
	}
	d.sent = append(d.sent, came.part)
	return nil
}

func (s *Store) sendPart(ctx context.Context, name, upload string, number int, part []byte) (sent sentPart) {
	sent.part.PartNumber = number
	sent.err = s.send(ctx, part, func(b io.Reader, sum string) error {
		done, err := s.once.PutObjectPart(ctx, s.place.Bucket, name, upload, number, b, int64(len(part)),
			minio.PutObjectPartOptions{Sha256Hex: sum, DisableContentSha256: true})
		sent.part.ETag = done.ETag
		return err
	})
	return sent
}

// Restart implements store.Draft. What was sent has a key of its own.
func (d *draft) Restart() error {
	d.Discard()
	*d = draft{store: d.store, ctx: d.ctx}
	return d.ctx.Err()
}

// Commit implements store.Draft.
func (d *draft) Commit() (string, error) {
	if d.failed == nil {
		d.fail(d.commit())
	}
	if d.failed != nil {
		d.Discard()
		return "", d.failed
	}
	d.upload = "" // nothing is left to discard
	d.leave()
	return d.key, nil
}

func (d *draft) commit() error {
	if d.upload == "" {
		return d.sendWhole()
	}
	if len(d.part) > 0 {
		if err := d.begin(); err != nil {
			return err
		}
	}
	if err := d.wait(); err != nil {
		return err
	}
	if err := d.intend(); err != nil {
		return err
	}
	if err := d.abortOthers(); err != nil {
		return err
	}
	return d.complete()
}

// sendWhole sends content of one part.
func (d *draft) sendWhole() error {
	if err := d.intend(); err != nil {
		return err
	}
	name, err := d.store.name(d.key)
	if err != nil {
		return err
	}
	ctx, cancel := bounded(d.ctx)
	defer cancel()
	return d.store.send(ctx, d.part, func(b io.Reader, sum string) error {
		_, err := d.store.once.PutObject(ctx, d.store.place.Bucket, name, b, int64(len(d.part)), "", sum,
			minio.PutObjectOptions{DisableContentSha256: true, DisableMultipart: true})
		return err
	})
}

// complete makes an object of the parts. Where the answer is lost, the object tells
// what it was: nobody else makes one of this key, and there is none of half the parts.
func (d *draft) complete() error {
	name, err := d.store.name(d.key)
	if err != nil {
		return err
	}
	ctx, cancel := bounded(d.ctx)
	defer cancel()
	_, err = d.store.core.CompleteMultipartUpload(ctx, d.store.place.Bucket, name, d.upload, d.sent, minio.PutObjectOptions{})
	if err == nil {
		return nil
	}
	err = explain(d.ctx, "put content together", err)
	size, missing := d.store.Size(ctx, d.key)
	if missing != nil || size != d.all {
		return errors.Join(err, store.IgnoreNotFound(missing))
	}
	return nil
}

// Discard implements store.Draft. What cannot be removed now is for the janitor: the
// ledger has it as intended.
func (d *draft) Discard() {
	if d.sending != nil {
		d.stop()
		_ = d.wait()
	}
	d.leave()
	if d.upload == "" {
		return
	}
	s, upload := d.store, d.upload
	name, err := s.name(d.key)
	d.upload = ""
	if err == nil {
		s.beside.Go(func() { s.abort(name, upload) })
	}
}

func (s *Store) abort(name, upload string) {
	ctx, cancel := bounded(s.closing)
	defer cancel()
	_ = s.core.AbortMultipartUpload(ctx, s.place.Bucket, name, upload)
}
