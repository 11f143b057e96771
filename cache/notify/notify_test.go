package notify

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNoticesAreSentInOrder(t *testing.T) {
	q := New()
	go q.Run()
	var sent []int
	for i := range 1000 {
		q.Add(func() {
			sent = append(sent, i)
			if i == 10 {
				q.Add(func() {}) // a receiver may call back
			}
		})
	}
	q.WaitNotified(t.Context())
	require.Len(t, sent, 1000)
	require.IsIncreasing(t, sent)
	q.Close()
}

func TestCloseEndsWhoWaits(t *testing.T) {
	q := New()
	go q.Run()
	begun, end := make(chan struct{}), make(chan struct{})
	q.Add(func() { close(begun); <-end })
	q.Add(func() { t.Error("a notice was sent after Close") })
	<-begun
	gone, leave := context.WithCancel(t.Context())
	leave()
	q.WaitNotified(gone)
	closed := make(chan struct{})
	go func() { q.Close(); close(closed) }()
	q.WaitNotified(t.Context())
	close(end)
	<-closed
	q.WaitNotified(t.Context())
}
