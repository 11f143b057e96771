package s3store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"paperfs/remote/clock"
	"paperfs/remote/service/store"
)

// send sends content with a request that the client does not retry, until one attempt succeeds or
// fails permanently. After that the caller may reuse the memory.
func (s *Store) send(ctx context.Context, content []byte, request func(b io.Reader, sum string) error) error {
	hash := sha256.Sum256(content)
	sum := hex.EncodeToString(hash[:])
	return s.repeat(ctx, "send content", func() error {
		b := &body{left: content}
		defer b.end()
		return request(b, sum)
	})
}

// repeat runs a request that the client does not retry, until it succeeds or fails permanently.
func (s *Store) repeat(ctx context.Context, what string, request func() error) error {
	for attempt := 1; ; attempt++ {
		err := explain(ctx, what, request())
		if !errors.Is(err, store.ErrAway) || attempt == s.attempts {
			return err
		}
		if ended := clock.Sleep(ctx, pauseAfter(attempt)); ended != nil {
			return errors.Join(err, ended)
		}
	}
}

// pauseAfter grows to a second. It is random, so that many clients do not return at the same
// time.
func pauseAfter(attempt int) time.Duration {
	most := min(time.Second, 100*time.Millisecond<<min(attempt, 10))
	return most/2 + rand.N(most/2)
}
