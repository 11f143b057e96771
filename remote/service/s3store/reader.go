package s3store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/minio/minio-go/v7"

	"paperfs/remote/clock"
	"paperfs/remote/service/store"
)

// atOnce is up to how many bytes Open reads immediately, so that a page image takes one request.
const atOnce = 256 << 10

// cuts is how often an answer may be cut off without any progress.
const cuts = 5

// Open implements store.Contents. It reads a short part immediately. For a longer one it only
// checks that the part exists.
func (s *Store) Open(ctx context.Context, key string, offset, length int64) (io.ReadSeekCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	name, err := s.name(key)
	if err != nil {
		return nil, err
	}
	r := &reader{store: s, ctx: ctx, key: key, name: name, offset: offset, length: length}
	if length > 0 && length <= atOnce {
		defer r.Close()
		content := make([]byte, length)
		if _, err := io.ReadFull(r, content); err != nil {
			return nil, err
		}
		return inMemory{bytes.NewReader(content)}, nil
	}
	size, err := s.Size(ctx, key)
	if err != nil {
		return nil, err
	}
	if size < offset+length {
		return nil, tooShort(key, size, offset+length)
	}
	return r, nil
}

func tooShort(key string, size, want int64) error {
	return fmt.Errorf("content %s has %d bytes, not %d: %w", key, size, want, io.ErrUnexpectedEOF)
}

// inMemory is a part that Open read immediately.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// reader reads a part of an object, with one request as long as it is read in order. If an answer
// is cut off, it requests the rest again.
type reader struct {
	store          *Store
	ctx            context.Context
	key, name      string
	offset, length int64 // of the part within the object

	at   int64         // position in the part of the next Read
	body io.ReadCloser // the current answer; nil = none
	next int64         // position in the part of the next byte of body
}

// Seek performs no I/O.
func (r *reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.length
	}
	if offset < 0 {
		return 0, fmt.Errorf("seek to %d in content: %w", offset, syscall.EINVAL)
	}
	r.at = offset
	return offset, nil
}

func (r *reader) Read(p []byte) (int, error) {
	if r.at >= r.length {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	p = p[:min(int64(len(p)), r.length-r.at)]
	var err error
	for cut := range cuts {
		if err = r.pause(cut); err != nil {
			break
		}
		if err = r.open(); err != nil {
			break // the client has already retried
		}
		var n int
		n, err = r.body.Read(p)
		r.at, r.next = r.at+int64(n), r.next+int64(n)
		if err != nil {
			_ = r.Close()
		}
		if n > 0 {
			return n, nil
		}
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
	}
	if errors.Is(err, store.ErrAway) || r.ctx.Err() == nil && !isCut(err) {
		return 0, err
	}
	return 0, explain(r.ctx, "read content "+r.key, err)
}

// pause waits before the rest of a cut-off answer is requested again.
func (r *reader) pause(cut int) error {
	if cut == 0 {
		return nil
	}
	return clock.Sleep(r.ctx, min(time.Second, 50*time.Millisecond<<cut))
}

// open makes body continue at the reader's position.
func (r *reader) open() error {
	if r.body != nil && r.next == r.at {
		return nil
	}
	_ = r.Close()
	var o minio.GetObjectOptions
	if err := o.SetRange(r.offset+r.at, r.offset+r.length-1); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(r.ctx)
	late := time.AfterFunc(r.store.answerTime, func() { cancel(errSlow) })
	body, _, header, err := r.store.core.GetObject(ctx, r.store.place.Bucket, r.name, o)
	if !late.Stop() && err == nil { // the timer fired at this moment
		err = errors.Join(errSlow, body.Close())
	}
	if answer, ok := errors.AsType[minio.ErrorResponse](err); ok && answer.StatusCode == http.StatusRequestedRangeNotSatisfiable {
		cancel(nil)
		return fmt.Errorf("content %s ends before %d: %w", r.key, r.offset+r.at, io.ErrUnexpectedEOF)
	}
	if err != nil {
		err = explain(ctx, "read content "+r.key, err)
		cancel(nil)
		return err
	}
	answer := &answer{body, cancel}
	if err := r.judge(header.Get("Content-Range")); err != nil {
		return errors.Join(err, answer.Close())
	}
	r.body, r.next = answer, r.at
	return nil
}

// answer is the body of an answer; closing it ends its context.
type answer struct {
	io.ReadCloser
	cancel context.CancelCauseFunc
}

func (a *answer) Close() error {
	err := a.ReadCloser.Close()
	a.cancel(nil)
	return err
}

// judge checks the range of an answer against the requested range.
func (r *reader) judge(given string) error {
	span, whole, _ := strings.Cut(strings.TrimPrefix(given, "bytes "), "/")
	from, _, _ := strings.Cut(span, "-")
	if from != strconv.FormatInt(r.offset+r.at, 10) {
		return fmt.Errorf("read content %s: the object store sent the range %q instead of the one that starts at %d", r.key, given, r.offset+r.at)
	}
	if size, err := strconv.ParseInt(whole, 10, 64); err == nil && size < r.offset+r.length {
		return tooShort(r.key, size, r.offset+r.length)
	}
	return nil
}

// Close ends the current request.
func (r *reader) Close() error {
	if r.body == nil {
		return nil
	}
	body := r.body
	r.body = nil
	return body.Close()
}
