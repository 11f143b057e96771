package s3store

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// TestARequestThatFailedReadsNothingOfTheNext checks that a failed request no longer reads its
// memory, which is about to be reused.
func TestARequestThatFailedReadsNothingOfTheNext(t *testing.T) {
	s := &Store{attempts: 3}
	var late []io.Reader
	var attempts atomic.Int64
	err := s.send(t.Context(), []byte("content"), func(b io.Reader, sum string) error {
		require.Len(t, sum, 64)
		late = append(late, b)
		if attempts.Add(1) < 3 {
			_, err := b.Read(make([]byte, 3))
			return errors.Join(err, io.ErrUnexpectedEOF)
		}
		got, err := io.ReadAll(b)
		require.Equal(t, "content", string(got), "every attempt sends the complete content")
		return err
	})
	require.NoError(t, err)
	for _, b := range late {
		_, err := b.Read(make([]byte, 3))
		require.ErrorIs(t, err, errEnded)
	}
	err = s.send(t.Context(), nil, func(io.Reader, string) error { return io.ErrUnexpectedEOF })
	require.ErrorIs(t, err, store.ErrAway)
}

// TestARequestThatTakesTooLong checks that such a request counts as an unavailable object store,
// and that a request canceled by its caller does not.
func TestARequestThatTakesTooLong(t *testing.T) {
	s := &Store{attempts: 3}
	slow, stop := context.WithTimeoutCause(t.Context(), 0, errSlow)
	defer stop()
	request := func(io.Reader, string) error { return context.DeadlineExceeded }
	require.ErrorIs(t, s.send(slow, nil, request), store.ErrAway)
	over, stop := context.WithCancel(t.Context())
	stop()
	err := s.send(over, nil, func(io.Reader, string) error { return context.Canceled })
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, store.ErrAway)
}
