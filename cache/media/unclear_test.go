package media

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/option"
	"paperfs/cache/media/queue"
	"paperfs/remote"
)

// conflict is an unclear failure.
var conflict = &remote.Error{Op: "UploadFile", Kind: remote.Status, Status: http.StatusConflict}

// untold disables retries before RetryNow.
func untold(o *Options) { o.Pause = func(int, error) time.Duration { return time.Hour } }

// TestDoubtfulFailures checks that the whole queue waits if the service itself does not
// answer, and that otherwise only one file waits.
func TestDoubtfulFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answers error
		all     bool
	}{
		"the service answers":         {nil, false},
		"the service does not answer": {conflict, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, writingBack, untold, func(o *Options) { o.Transfers = 1 })
			f.absent(Root, "a")
			f.service.fail("UploadFile", conflict)
			f.service.fail("Answers", c.answers)
			open := f.service.hold("UploadFile")
			for _, name := range []string{"a", "b"} {
				_, err := f.create(Root, name, name)
				require.NoError(t, err)
			}
			open()
			f.eventually(func() bool { return f.queued("a").Attempts == 1 })
			require.Equal(t, c.all, f.store.Status().Waits != nil)
			require.Equal(t, conflict.Error(), f.queued("a").LastError)
			if c.all {
				require.Equal(t, 1, f.service.count("UploadFile"))
				require.Equal(t, conflict.Error(), f.store.Status().Waits.Error())
				f.store.RetryNow()
			} else {
				f.eventually(func() bool { return len(f.store.Queue()) == 1 })
				f.published("b", "b")
				f.store.RetryNow()
			}
			f.drain()
			require.Equal(t, map[string]string{"a": "a", "b": "b"}, f.service.all())
			require.NoError(t, f.store.Status().Waits)
			require.Empty(t, f.store.Failed())
		})
	}
}

// queued returns the queue entry of a path, empty if there is none.
func (f *fixture) queued(path string) Queued {
	list := f.store.Queue()
	i := slices.IndexFunc(list, func(q Queued) bool { return q.Path == path })
	if i < 0 {
		return Queued{}
	}
	return list[i]
}

// TestADayOfDoubt checks that the day counts while the service answers other requests, and
// restarts with each mount and after a time without answers.
func TestADayOfDoubt(t *testing.T) {
	t.Parallel()
	for name, between := range map[string]func(*fixture){
		"nothing": func(*fixture) {},
		"the service is silent": func(f *fixture) {
			f.service.fail("Answers", conflict)
			f.tries("a")
			f.tries("a")
		},
		"another mount": func(f *fixture) { f.reopen(); f.eventually(func() bool { return f.queued("a").Attempts > 0 }) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, writingBack, untold)
			f.absent(Root, "a")
			refusals := slices.Repeat([]error{conflict}, 10)
			f.service.fail("UploadFile", refusals...)
			_, err := f.create(Root, "a", "one")
			require.NoError(t, err)
			f.eventually(func() bool { return f.queued("a").Attempts > 0 })
			f.pass(queue.LongestUnclear - time.Hour)
			f.tries("a")
			between(f)
			f.pass(2 * time.Hour)
			if name != "nothing" {
				f.tries("a")
				require.Empty(t, f.store.Failed())
				f.pass(queue.LongestUnclear)
			}
			f.store.RetryNow()
			f.eventually(func() bool { return len(f.store.Failed()) == 1 })
			require.Equal(t, "refused for a day, although the service answered other requests: "+conflict.Error(), f.store.Failed()[0].Reason)
			f.drain()
		})
	}
}

// tries retries the queued content of a path; the retry fails.
func (f *fixture) tries(path string) {
	before := f.queued(path).Attempts
	f.store.RetryNow()
	f.eventually(func() bool { return f.queued(path).Attempts > before })
}

// TestATreeThatIsNotOfferedIsAskedForAgain checks that the store requests the tree again after
// its TTL, and then shows it.
func TestATreeThatIsNotOfferedIsAskedForAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, deleting)
	absent := &remote.Error{Op: "GetTree", Kind: remote.NotOffered}
	f.service.fail("GetTree", absent, absent)
	f.service.set(0, "a", "one")
	for range 2 {
		f.absent(Root, "a")
		require.False(t, f.store.OffersTree())
		f.absent(Root, "a")
		require.Equal(t, 1, f.service.total())
	}
	f.pass(f.options.TTL)
	f.pass(option.DefaultTTL)
	f.absent(Root, "a")
	f.eventually(func() bool { return f.service.count("GetTree") == 2 })
	f.pass(option.DefaultTTL)
	f.eventually(func() bool { _, err := f.store.Lookup(ctx, Root, "a"); return err == nil })
	require.True(t, f.store.OffersTree())
	require.Equal(t, 3, f.service.count("GetTree"))
	require.NoError(t, f.store.Unlink(ctx, Root, "a"))
}

// TestLookupsAtOnceAskOnceForATreeThatIsNotOffered checks that one that has seen the tree too old asks for no other tree once
// another lookup has.
func TestLookupsAtOnceAskOnceForATreeThatIsNotOffered(t *testing.T) {
	t.Parallel()
	f := newFixture(t, deleting)
	f.service.fail("GetTree", slices.Repeat([]error{&remote.Error{Op: "GetTree", Kind: remote.NotOffered}}, 1000)...)
	for asked := range 100 {
		var lookups sync.WaitGroup
		for range 8 {
			lookups.Go(func() { _, _ = f.store.Lookup(ctx, Root, "a") })
		}
		lookups.Wait()
		f.eventually(func() bool { // a flight of before may still have been there
			_, _ = f.store.Lookup(ctx, Root, "a")
			return f.service.count("GetTree") > asked
		})
		require.Equal(t, asked+1, f.service.count("GetTree"))
		f.pass(option.DefaultTTL)
	}
}
