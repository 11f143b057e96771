package inode

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestADirectoryHasOneNode checks that a directory keeps its node until it is forgotten, since the
// kernel keeps the first.
func TestADirectoryHasOneNode(t *testing.T) {
	t.Parallel()
	s := NewNotices[int, string]()
	require.Nil(t, s.Dir(7))
	first := s.Enter(7, func() *string { return new(string) })
	require.Same(t, first, s.Enter(7, func() *string { t.Error("a second node"); return nil }))
	require.Same(t, first, s.Dir(7))
	s.Forget(7)
	require.Nil(t, s.Dir(7))
	require.NotSame(t, first, s.Enter(7, func() *string { return new(string) }))
}

// TestADirectoryThatWaitsHoldsUpNoOther checks that notices of other directories are sent while one
// waits for the kernel, and that who waits for all of them waits for those sent before, only.
func TestADirectoryThatWaitsHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewNotices[int, string]()
		stuck := make(chan struct{})
		s.Send(func() { <-stuck })
		sent := 0
		for range senders - 1 {
			s.Send(func() { sent++; time.Sleep(time.Second) })
			synctest.Wait()
		}
		require.Equal(t, senders-1, sent)
		short, end := context.WithTimeout(t.Context(), time.Minute)
		defer end()
		s.WaitNotified(short)
		require.Error(t, short.Err(), "one is still stuck")
		synctest.Wait()
		require.Len(t, s.sending, 1)
		time.AfterFunc(time.Second, func() { close(stuck) })
		s.WaitNotified(t.Context())
		synctest.Wait()
		require.Empty(t, s.sending)
		s.WaitNotified(t.Context()) // nothing to wait for
	})
}
