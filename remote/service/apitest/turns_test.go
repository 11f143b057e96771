package apitest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// staying is a store that holds the reads of calls until the test releases them.
type staying struct {
	store.Store
	entered chan int64 // the account of each
	release chan struct{}
}

func (s *staying) Read(ctx context.Context, f func(store.Reader) error) error {
	return s.Store.Read(ctx, func(tx store.Reader) error { return f(stayingCall{tx, s}) })
}

type stayingCall struct {
	store.Reader
	store *staying
}

func (r stayingCall) HasKey(account int64, hash [32]byte) (bool, error) {
	r.store.entered <- account
	<-r.store.release
	return r.Reader.HasKey(account, hash)
}

// TestATenantsCallsWaitForNoOthers fills the connections with calls of one tenant, lets more of them and strangers wait,
// and then a call of another tenant that has called before: of those that wait, it reads first.
func TestATenantsCallsWaitForNoOthers(t *testing.T) {
	t.Parallel()
	s := start(t)
	theirs := s.tenantNamed("other")
	paper, other := s.root(), theirs.root()
	hold := &staying{entered: make(chan int64, store.Readers), release: make(chan struct{})}
	leave := sync.OnceFunc(func() { close(hold.release) })
	defer leave()
	s.wrapStore(func(inner store.Store) store.Store { hold.Store = inner; return hold })
	var all sync.WaitGroup
	defer all.Wait()
	call := func(s *server, paper string) { all.Go(func() { s.must(remote.GetPaperUrlFromID, "paperID", paper) }) }
	waiting := func(n int) {
		require.Eventually(t, func() bool { return s.inside().Reads.Waiting() == n }, testrun.Patience(), time.Millisecond)
	}
	call(s, paper)
	mine := <-hold.entered
	for range store.Readers - 1 {
		call(s, paper)
		<-hold.entered
	}
	call(s, paper)
	waiting(1)
	all.Go(func() {
		s.as("nobody", "wrong").fails(remote.LoginSecurityViolation, remote.GetPaperUrlFromID, "paperID", paper)
	})
	waiting(2)
	call(theirs, other)
	waiting(3)
	hold.release <- struct{}{}
	require.NotEqual(t, mine, <-hold.entered)
	leave()
}
