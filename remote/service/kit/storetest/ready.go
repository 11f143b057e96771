package storetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// readyWaitsForNobody checks that Ready waits neither for more readers than a store admits,
// nor for a change of all tenants.
func readyWaitsForNobody(t *testing.T, open Open) {
	s := open(t)
	ctx, stop := context.WithCancel(t.Context())
	const many = 30
	release := make(chan struct{})
	held := make(chan struct{}, many+1)
	ended := make(chan error, many+1)
	leave := sync.OnceFunc(func() { stop(); close(release) })
	defer leave()
	for range many {
		go func() {
			ended <- s.Read(ctx, func(store.Reader) error { held <- struct{}{}; <-release; return nil })
		}()
	}
	go func() {
		ended <- s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
			defer func() { held <- struct{}{}; <-release }()
			return tx.SetReadOnly(true)
		})
	}()
	for range store.Readers + 1 {
		<-held
	}
	soon, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	require.NoError(t, s.Ready(soon))
	leave()
	for range many + 1 {
		<-ended
	}
}
