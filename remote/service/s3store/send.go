package s3store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"syscall"
	"time"

	"paperfs/remote/service/store"
)

// body is what a request sends. A request that has failed may read on in what was
// given to it, beside the next attempt and when its memory has other content: each
// attempt has a body of its own, which ends with it.
type body struct {
	mu   sync.Mutex // guards the fields below
	left []byte
	over bool
}

var errOver = errors.New("the request is over")

func (b *body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return 0, errOver
	}
	if len(b.left) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

func (b *body) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left, b.over = nil, true
}

// send sends content by requests that are not repeated by themselves, until one
// succeeds or fails for good. The memory is the caller's again then.
func (s *Store) send(ctx context.Context, content []byte, request func(b io.Reader, sum string) error) error {
	hash := sha256.Sum256(content)
	sum := hex.EncodeToString(hash[:])
	return s.repeat(ctx, "send content", func() error {
		b := &body{left: content}
		defer b.end()
		return request(b, sum)
	})
}

// repeat runs a request that is not repeated by itself until it succeeds, or fails for
// good.
func (s *Store) repeat(ctx context.Context, what string, request func() error) error {
	for attempt := 1; ; attempt++ {
		err := explain(ctx, what, request())
		if !errors.Is(err, store.ErrAway) || attempt == s.attempts {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(pauseAfter(attempt)):
		}
	}
}

// pauseAfter grows to a second; chance keeps many from coming back together.
func pauseAfter(attempt int) time.Duration {
	most := min(time.Second, 100*time.Millisecond<<min(attempt, 10))
	return most/2 + rand.N(most/2)
}

// isCut tells an answer that ended early, from content that is too short too.
func isCut(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, errOver)
}
