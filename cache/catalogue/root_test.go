package catalogue

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

func TestConnectSaysInWordsWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		alter func(*Options)
		fail  *remote.Operation
		err   error
		words []string
		kind  remote.Kind
	}{
		"no such address": {alter: func(o *Options) { o.RootURL = "/nowhere" }, words: []string{`"/nowhere/"`, "--root-url"}},
		"no such id":      {alter: func(o *Options) { o.RootID = 99 }, words: []string{"99", "--root-id"}, kind: remote.Refused},
		"credentials": {fail: remote.GetPaperIDFromUrl, err: refused(remote.GetPaperIDFromUrl, remote.LoginSecurityViolation),
			words: []string{"user name", "password"}, kind: remote.Refused},
		"credentials and an id": {alter: func(o *Options) { o.RootID = 1 }, fail: remote.GetPaperUrlFromID,
			err: refused(remote.GetPaperUrlFromID, remote.LoginSecurityViolation), words: []string{"password"}, kind: remote.Refused},
		"ERROR": {fail: remote.GetPaperIDFromUrl, err: refused(remote.GetPaperIDFromUrl, remote.Failure),
			words: []string{"No: ERROR", "password"}, kind: remote.Refused},
		"away": {fail: remote.GetPaperIDFromUrl, err: errAway, words: []string{"cannot be reached", "connection refused"}, kind: remote.Unreachable},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(smallTree())
			x := open(t, f, func(o *Options) {
				if c.alter != nil {
					c.alter(o)
				}
			})
			if c.fail != nil {
				f.fail(c.fail, c.err)
			}
			err := x.Connect(ctx)
			var root *RootError
			require.ErrorAs(t, err, &root)
			for _, words := range c.words {
				require.ErrorContains(t, err, words)
			}
			var failure *remote.Error
			if c.kind != 0 {
				require.ErrorAs(t, err, &failure)
				require.Equal(t, c.kind, failure.Kind)
			} else {
				require.NotErrorAs(t, err, &failure)
			}
			require.Equal(t, 1, f.requests())
		})
	}
}

func TestRootIsRememberedBetweenMounts(t *testing.T) {
	f, state := newFake(smallTree()), &memory{values: map[string]string{}}
	with := func(o *Options) { o.State, o.RootURL = state, "a" }
	x := connected(t, f, with)
	require.EqualValues(t, 2, x.Peek().Root().ID)
	require.Equal(t, 3, x.Peek().Len())
	x.Close()
	x = open(t, f, with)
	require.Equal(t, 1, x.costs(func() { _, _ = x.Snapshot(ctx) }), "GetAllPapers alone")
	require.EqualValues(t, 2, x.Peek().Root().ID)
}

func TestRootThatIsGoneIsLookedUpAgain(t *testing.T) {
	f, state := newFake(smallTree()), &memory{values: map[string]string{}}
	x := connected(t, f, func(o *Options) { o.State, o.RootURL = state, "/a/" })
	f.other(func(m *model) {
		m.remove(2)
		m.nodes[20] = remote.Node{ID: 20, Parent: 1, Kind: remote.CategoryNode, Name: "A again", URL: "/A/"}
	})
	require.Equal(t, 3, x.costs(func() { require.NoError(t, x.Refresh(ctx)) }))
	require.EqualValues(t, 20, x.Peek().Root().ID)
	require.Equal(t, 1, x.costs(func() { require.NoError(t, x.Refresh(ctx)) }))
	delete(state.values, connectedKey)
	for _, value := range state.values {
		require.Equal(t, "20", value)
	}

	f.other(func(m *model) { m.remove(20) })
	require.ErrorContains(t, x.Refresh(ctx), "--root-url")
	require.Equal(t, 1, x.Peek().Len(), "the tree stays readable")
	require.Equal(t, 1, x.costs(func() { require.Error(t, x.Refresh(ctx)) }))
}

func TestRootByID(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f, func(o *Options) { o.RootID = 5 })
	require.Equal(t, 2, x.Peek().Len())
	require.Equal(t, 0, f.count(remote.GetPaperIDFromUrl))
	require.Equal(t, 1, f.count(remote.GetPaperUrlFromID))
	f.other(func(m *model) { m.remove(5) })
	require.Error(t, x.Refresh(ctx))
	require.Equal(t, 0, f.count(remote.GetPaperIDFromUrl), "a root given by id is not looked up by address")
}

func TestRootThatIsAPaperIsRefused(t *testing.T) {
	x := open(t, newFake(smallTree()), func(o *Options) { o.RootID = 6 })
	var root *RootError
	err := x.Connect(ctx)
	require.ErrorAs(t, err, &root)
	require.NoError(t, root.Err, "the service itself did not fail")
	require.ErrorContains(t, err, "is a paper: --root-url or --root-id")
	_, err = x.Snapshot(ctx)
	require.ErrorContains(t, err, "is a paper")
}

func TestRootAddress(t *testing.T) {
	for given, want := range map[string]string{"": "/", "/": "/", "acme": "/acme/", "/acme/x": "/acme/x/"} {
		got, err := rootAddress(given)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := New(Options{RootURL: "https://host/acme/"})
	require.ErrorAs(t, err, new(ErrInvalid))
}

// TestAServiceThatNeverAnswersIsNotWaitedForWithoutEnd checks that the error is that of a
// stalled service, not of a cancelled caller.
func TestAServiceThatNeverAnswersIsNotWaitedForWithoutEnd(t *testing.T) {
	f := newFake(smallTree())
	answer := f.freeze(remote.GetPaperIDFromUrl)
	defer answer()
	x := open(t, f, func(o *Options) { o.RootLimit = time.Millisecond })
	err := x.Connect(ctx)
	require.EqualError(t, err, "the service did not answer within 1ms")
	var failure *remote.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, remote.Stalled, failure.Kind)
}
