package catalogue

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

func TestChangesCostOneRequestAndNoFetch(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	var n remote.Node
	for what, do := range map[string]func() error{
		"create": func() (err error) { n, err = x.Create(ctx, remote.CategoryNode, 1, "Spring Ünd"); return err },
		"paper":  func() (err error) { _, err = x.Create(ctx, remote.PaperNode, 1, "Spring"); return err },
		"url":    func() error { return x.ChangeURL(ctx, 5, "Bee") },
		"move":   func() error { return x.Move(ctx, 3, 5, "") },
		"period": func() error {
			return x.SetPeriod(ctx, 6, remote.Period{From: epoch.UTC(), To: epoch.Add(time.Hour).UTC()})
		},
		"clear": func() error { return x.SetPeriod(ctx, 4, remote.Period{}) },
	} {
		require.Equal(t, 1, x.costs(func() { require.NoError(t, do(), what) }), what)
	}
	require.Equal(t, "/spring-und/", n.URL)
	require.Equal(t, 1, f.count(remote.GetAllPapers))
	x.requireTrue(t)
	require.Equal(t, 2, x.costs(func() { require.NoError(t, x.Delete(ctx, n.ID)) }), "a check and the deletion")
	require.Equal(t, 1, x.costs(func() { require.NoError(t, x.Delete(ctx, 6)) }))
	x.requireTrue(t)
}

func TestImpossibleChangesAreRefusedWithoutARequest(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	create := func(parent int64, name string) error {
		_, err := x.Create(ctx, remote.CategoryNode, parent, name)
		return err
	}
	for _, c := range []struct {
		err  error
		want error // nil: any ErrInvalid
	}{
		{create(99, "x"), ErrNotFound},
		{create(6, "x"), nil},
		{create(1, "A"), ErrTaken},
		{create(1, ""), nil},
		{create(1, "  "), nil},
		{create(1, " x"), nil},
		{create(1, "x\u00a0"), nil},
		{create(1, "x\ny"), nil},
		{create(1, "\xff"), nil},
		{create(1, strings.Repeat("é", 256)), nil},
		{x.Move(ctx, 99, 1, ""), ErrNotFound},
		{x.Move(ctx, 2, 99, ""), ErrNotFound},
		{x.Move(ctx, 1, 2, ""), ErrIsRoot},
		{x.Move(ctx, 2, 6, ""), nil},
		{x.Move(ctx, 2, 3, ""), ErrOwnDescendant},
		{x.Move(ctx, 2, 2, ""), ErrOwnDescendant},
		{x.ChangeURL(ctx, 99, "x"), ErrNotFound},
		{x.ChangeURL(ctx, 1, "x"), ErrIsRoot},
		{x.ChangeURL(ctx, 2, ""), nil},
		{x.ChangeURL(ctx, 2, ".."), nil},
		{x.ChangeURL(ctx, 2, "a/b"), nil},
		{x.ChangeURL(ctx, 2, "ä"), nil},
		{x.ChangeURL(ctx, 2, strings.Repeat("x", 129)), nil},
		{x.SetPeriod(ctx, 2, remote.Period{}), nil},
		{x.SetPeriod(ctx, 6, remote.Period{From: epoch, To: epoch}), nil},
		{x.SetPeriod(ctx, 6, remote.Period{From: epoch}), nil},
		{x.SetPeriod(ctx, 6, remote.Period{From: time.Date(1899, 1, 1, 0, 0, 0, 0, time.UTC), To: epoch}), nil},
		{x.SetPeriod(ctx, 99, remote.Period{}), ErrNotFound},
		{x.Delete(ctx, 99), ErrNotFound},
		{x.Delete(ctx, 1), ErrIsRoot},
		{x.Delete(ctx, 2), ErrNotEmpty},
	} {
		if c.want == nil {
			require.ErrorAs(t, c.err, new(ErrInvalid))
		} else {
			require.ErrorIs(t, c.err, c.want)
		}
	}
	require.Equal(t, 2, f.requests(), "the requests of the mount")
	x.requireTrue(t)
}

func TestSameNameAsAPaperOrInAnotherCaseIsAllowed(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	for i, name := range []string{"a", "A!", "á"} {
		n, err := x.Create(ctx, remote.CategoryNode, 1, name)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("/a-%d/", i+2), n.URL)
	}
	_, err := x.Create(ctx, remote.PaperNode, 1, "A")
	require.NoError(t, err)
	x.requireTrue(t)
}

func TestManyMakersAtTheSameTimeGetDifferentAddresses(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	var makers sync.WaitGroup
	for i := range 30 {
		makers.Go(func() {
			_, err := x.Create(ctx, remote.PaperNode, 5, strings.Repeat("!", i)+"Same")
			require.NoError(t, err)
		})
	}
	makers.Wait()
	require.Equal(t, 30, f.count(remote.CreatePaper), "no address was tried twice")
	x.requireTrue(t)
}

func TestAddressThatSomebodyElseTookMeanwhile(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	f.other(func(m *model) {
		m.nodes[50] = remote.Node{ID: 50, Parent: 1, Kind: remote.PaperNode, Name: "other", URL: "/Spring/"}
		m.next = 51
	})
	var n remote.Node
	require.Equal(t, 5, x.costs(func() {
		var err error
		n, err = x.Create(ctx, remote.CategoryNode, 1, "Spring")
		require.NoError(t, err)
		x.settle(t)
	}), "a try, two requests for the node that has the address, a retry, and a refresh in the background")
	require.Regexp(t, "^/spring-[a-z2-7]{8}/$", n.URL)
	x.settle(t)
	x.requireTrue(t)
}

// TestALostAnswerMakesNoSecondNode checks that a node is not created twice if a call
// created it and its answer was lost.
func TestALostAnswerMakesNoSecondNode(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	f.other(func(m *model) {
		m.nodes[50] = remote.Node{ID: 50, Parent: 1, Kind: remote.CategoryNode, Name: "Spring", URL: "/spring/"}
		m.nodes[51] = remote.Node{ID: 51, Parent: 50, Kind: remote.PaperNode, Name: "in it", URL: "/spring/in-it/"}
		m.next = 52
	})
	require.Equal(t, 4, x.costs(func() {
		_, err := x.Create(ctx, remote.CategoryNode, 1, "Spring")
		require.ErrorIs(t, err, ErrTaken)
		n, ok := x.Peek().ByURL("/spring/")
		require.True(t, ok, "it is shown at once")
		require.EqualValues(t, 50, n.ID)
		x.settle(t)
	}))
	x.requireTrue(t)
}

func TestRefusalForAnotherReasonIsNotRetried(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	for _, c := range []struct {
		code  remote.Code
		costs int
	}{{remote.Failure, 2}, {remote.ReadOnly, 1}, {remote.LoginSecurityViolation, 1}} {
		f.fail(remote.CreatePaper, refused(remote.CreatePaper, c.code))
		require.Equal(t, c.costs, x.costs(func() {
			_, err := x.Create(ctx, remote.PaperNode, 1, "Spring")
			require.True(t, hasCode(err, c.code))
			require.NotErrorIs(t, err, ErrTaken)
		}))
	}
	x.requireTrue(t)
}

func TestTakenAddressAtTheDestination(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	require.NoError(t, x.ChangeURL(ctx, 4, "q"))
	require.Equal(t, 1, x.costs(func() {
		err := x.Move(ctx, 4, 5, "") // the tree has /b/q/
		require.ErrorIs(t, err, ErrTaken)
		require.True(t, hasCode(err, remote.Failure))
		require.ErrorContains(t, err, "/b/q/")
	}))
	require.Equal(t, 1, x.costs(func() { require.ErrorIs(t, x.ChangeURL(ctx, 5, "A"), ErrTaken) }))
	require.NoError(t, x.ChangeURL(ctx, 5, "B"), "the node's own address in another case")
	x.requireTrue(t)

	f.other(func(m *model) {
		m.nodes[50] = remote.Node{ID: 50, Parent: 1, Kind: remote.PaperNode, Name: "other", URL: "/new/"}
	})
	require.Equal(t, 2+1, x.costs(func() {
		require.ErrorIs(t, x.ChangeURL(ctx, 5, "new"), ErrTaken)
		require.Eventually(t, func() bool { return f.count(remote.GetAllPapers) == 2 }, testrun.Patience(), time.Millisecond)
	}), "not in the tree: a request, and a refresh in the background")
	x.settle(t)
	x.requireTrue(t)

	f.fail(remote.MovePaper, refused(remote.MovePaper, remote.Failure))
	err := x.Move(ctx, 3, 5, "")
	require.NotErrorIs(t, err, ErrTaken)
	require.True(t, hasCode(err, remote.Failure))
}

func TestCategoryIsDeletedOnlyAfterALook(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(f *fake)
		check   func(t *testing.T, err error)
	}{
		"a colleague put a paper into it": {
			func(f *fake) {
				f.other(func(m *model) {
					m.nodes[50] = remote.Node{ID: 50, Parent: 3, Kind: remote.PaperNode, Name: "x", URL: "/a/deep/x/"}
				})
			},
			func(t *testing.T, err error) { require.ErrorIs(t, err, ErrNotEmpty) }},
		"no answer": {
			func(f *fake) { f.fail(remote.GetAllPapers, errAway) },
			func(t *testing.T, err error) { require.ErrorIs(t, err, errAway) }},
		"the category was removed": {
			func(f *fake) { f.other(func(m *model) { m.remove(3) }) },
			func(t *testing.T, err error) { require.True(t, hasCode(err, remote.PaperDoesNotExist)) }},
		"the category became a paper": {
			func(f *fake) {
				f.other(func(m *model) {
					m.nodes[3] = remote.Node{ID: 3, Parent: 2, Kind: remote.PaperNode, Name: "x", URL: "/a/deep/"}
				})
			},
			func(t *testing.T, err error) { require.Error(t, err) }},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(smallTree())
			x := connected(t, f)
			require.NoError(t, x.Delete(ctx, 4))
			before := f.count(remote.DeletePaper)
			c.prepare(f)
			c.check(t, x.Delete(ctx, 3))
			require.Equal(t, before, f.count(remote.DeletePaper), "a deletion was sent")
		})
	}
}

func TestNodeThatSomebodyElseDeletedBringsARefresh(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	f.other(func(m *model) { m.remove(6); m.remove(4) })
	require.True(t, hasCode(x.ChangeURL(ctx, 6, "x"), remote.PaperDoesNotExist))
	require.Eventually(t, func() bool { return x.Peek().Len() == 4 }, testrun.Patience(), time.Millisecond)
	x.requireTrue(t)
	x.settle(t)

	// Not every answer that contradicts the tree causes a fetch.
	for range 20 {
		f.fail(remote.ChangePaperUrl, refused(remote.ChangePaperUrl, remote.PaperDoesNotExist))
		require.Error(t, x.ChangeURL(ctx, 2, "x"))
		x.settle(t)
	}
	require.Equal(t, 2, f.count(remote.GetAllPapers))
	x.clock.advance(suspectPause)
	require.Equal(t, 1, x.costs(func() { _, _ = x.Snapshot(ctx); x.settle(t) }))
}

func TestChangeOfUnknownOutcomeBringsARefresh(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	release := f.freeze(remote.MovePaper)
	hurried, interrupt := context.WithCancel(ctx)
	ended := make(chan error)
	go func() { ended <- x.Move(hurried, 3, 5, "") }()
	<-f.held
	_, err := x.Create(cancelled(), remote.PaperNode, 1, "x")
	require.Error(t, err, "a caller that waits for its turn can be interrupted")
	require.Equal(t, 0, f.count(remote.CreatePaper))
	interrupt()
	require.Error(t, <-ended)
	release()
	require.Eventually(t, func() bool { n, _ := x.Peek().Node(3); return n.Parent == 5 }, testrun.Patience(), time.Millisecond)
	x.settle(t)
	x.requireTrue(t)
}

func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestSlugs(t *testing.T) {
	for name, want := range map[string]string{
		"Spring 2027":               "spring-2027",
		"Größe & Höhe":              "grosse-and-hohe",
		"カタログ":                      "katarogu",
		"Каталог":                   "katalog",
		"a/b\\c.d":                  "a-b-c-d",
		"__x__":                     "x",
		strings.Repeat("long ", 50): strings.TrimSuffix(strings.Repeat("long-", 26), "-")[:128],
	} {
		require.Equal(t, want, slugOf(name, english), name)
	}
	require.Equal(t, "groesse-und-hoehe", slugOf("Größe & Höhe", german))
	for _, nothing := range []string{"!", "…", "😀", "-", "..", "\u200b"} {
		require.Regexp(t, "^p-[a-z2-7]{8}$", slugOf(nothing, english), nothing)
	}
	require.NotEqual(t, slugOf("!", english), slugOf("!", english))
}

func TestEveryNameGetsAnAddressThatTheServiceTakes(t *testing.T) {
	s := smallTree().snapshot(nil, epoch)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringN(1, 255, -1).Draw(t, "name")
		segment := segmentFor(s, "/", name, rapid.SampledFrom([]string{english, german}).Draw(t, "language"))
		require.NoError(t, checkSegment(segment), segment)
		_, taken := s.ByURL("/" + segment + "/")
		require.False(t, taken)
		require.NoError(t, checkSegment(withSuffix(segment, random())))
	})
}

// TestADeletedCategoryWaitsForItsTurn checks that the check for an empty category waits for
// the turn, too.
func TestADeletedCategoryWaitsForItsTurn(t *testing.T) {
	f := newFake(smallTree())
	x := connected(t, f)
	require.NoError(t, x.Delete(ctx, 4))
	f.mu.Lock()
	f.usedUp = true
	f.mu.Unlock()
	require.NoError(t, x.Delete(ctx, 3))
	require.Equal(t, 2, f.count(remote.DeletePaper))
	require.Equal(t, []int{2}, f.turns, "the check and the deletion go out one right after the other")
}
