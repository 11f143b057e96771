package s3store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"paperfs/remote/service/store"
)

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
