package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// readersAreBounded checks that no more read at a time than connections are meant for, and that the next one does
// when one of them has ended.
func readersAreBounded(t *testing.T, open Open) {
	s := open(t)
	held, release := make(chan struct{}), make(chan struct{})
	ended := make(chan error, store.Readers)
	for range store.Readers {
		go func() {
			ended <- s.Read(t.Context(), func(store.Reader) error { held <- struct{}{}; <-release; return nil })
		}()
	}
	for range store.Readers {
		<-held
	}
	soon, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	require.Error(t, s.Read(soon, func(store.Reader) error { return nil }))
	_, err := s.Caller(soon, "h", "a")
	require.Error(t, err)
	release <- struct{}{}
	require.NoError(t, s.Read(t.Context(), func(store.Reader) error { return nil }))
	close(release)
	for range store.Readers {
		require.NoError(t, <-ended)
	}
}
