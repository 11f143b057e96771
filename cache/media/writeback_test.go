package media

import (
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/cache/content/outbox"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/recovery"
	"paperfs/remote"
)

// writingBack configures a store that queues, and retries soon.
func writingBack(o *Options) {
	o.WriteBack = true
	o.Pause = func(int, error) time.Duration { return 2 * time.Millisecond }
}

var unreachable = &remote.Error{Op: "UploadFile", Kind: remote.Unreachable, Message: "no route"}

func (f *fixture) drain() {
	require.NoError(f.t, f.store.Drain(ctx))
}

func TestAClosedFileIsQueued(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	open := f.service.hold("UploadFile")
	a, err := f.create(Root, "a", "one")
	require.NoError(t, err, "the close does not wait for the service")
	<-f.service.entered
	f.eventually(func() bool { return len(f.store.Queue()) == 1 && f.store.Queue()[0].Sending })
	require.False(t, f.store.Idle())
	now, err := f.store.Stat(a.Ino)
	require.NoError(t, err)
	require.Equal(t, Pending, now.Where)
	require.EqualValues(t, 3, now.Size)
	open()
	f.drain()
	f.published("a", "one")
	require.Empty(t, f.store.Queue())
	require.Equal(t, Published, f.lookup(Root, "a").Where)
}

func TestTemporaryFailuresAreWaitedOut(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]*remote.Error{
		"unreachable": unreachable,
		"stalled":     {Kind: remote.Stalled, Ambiguous: true},
		"throttled":   {Kind: remote.Throttled},
		"5xx":         {Kind: remote.Status, Status: 503},
		"read-only":   {Kind: remote.Refused, Code: remote.ReadOnly},
		"budget":      {Kind: remote.OverBudget},
		"broken":      {Kind: remote.Broken, Ambiguous: true},
		"credentials": {Kind: remote.Refused, Code: remote.LoginSecurityViolation},
		"401":         {Kind: remote.Status, Status: 401},
		"403":         {Kind: remote.Status, Status: 403},
		"407":         {Kind: remote.Status, Status: 407},
		"421":         {Kind: remote.Status, Status: 421},
		"redirect":    {Kind: remote.Status, Status: 302},
		"404":         {Kind: remote.Status, Status: 404},
		"login page":  {Kind: remote.Broken, Foreign: true},
		"odd code":    {Kind: remote.Refused, Code: "MAINTENANCE"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, writingBack)
			f.service.goAway(failure)
			dir := f.mkdir(Root, "d")
			_, err := f.create(dir, "a", "one")
			require.NoError(t, err)
			_, err = f.create(Root, "b", "two")
			require.NoError(t, err)
			f.eventually(func() bool {
				return slices.ContainsFunc(f.store.Queue(), func(q Queued) bool { return q.Attempts > 1 && q.LastError != "" })
			})
			require.Empty(t, f.store.Failed())
			f.service.goAway(nil)
			f.drain()
			require.Equal(t, map[string]string{"d/a": "one", "b": "two"}, f.service.all())
			require.Empty(t, f.store.Failed())
		})
	}
}

// TestRefusedCredentialsStopTheQueue checks that after one attempt the whole queue waits for a
// long time, that the status shows the reason, and that RetryNow continues.
func TestRefusedCredentialsStopTheQueue(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack, func(o *Options) { o.Pause = nil; o.Transfers = 1 })
	refusal := &remote.Error{Op: "UploadFile", Kind: remote.Refused, Code: remote.LoginSecurityViolation}
	f.service.goAway(refusal)
	for _, name := range []string{"a", "b", "c"} {
		_, err := f.create(Root, name, name)
		require.NoError(t, err)
	}
	f.eventually(func() bool { return f.store.Status().Barred != nil })
	require.Equal(t, refusal, f.store.Status().Barred)
	require.LessOrEqual(t, f.service.total(), 2) // a GetTree, an upload
	f.service.goAway(nil)
	f.store.RetryNow()
	f.drain()
	require.Equal(t, map[string]string{"a": "a", "b": "b", "c": "c"}, f.service.all())
	require.NoError(t, f.store.Status().Barred)
	require.Empty(t, f.store.Failed())
}

func TestAPermanentRefusalSetsContentAside(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]*remote.Error{
		"refused":   errNo,
		"too large": {Kind: remote.TooLarge},
		"400":       {Kind: remote.Status, Status: 400},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, writingBack)
			a, err := f.create(Root, "known", "old")
			require.NoError(t, err)
			f.drain()
			f.service.fail("UploadFile", failure, failure)
			_, err = f.create(Root, "new", "one")
			require.NoError(t, err)
			require.NoError(t, f.overwrite(a.Ino, "two"))
			f.drain()
			require.Len(t, f.store.Failed(), 2)
			for _, e := range f.store.Failed() {
				require.Equal(t, failure.Error(), e.Reason)
			}
			require.Len(t, f.reports, 2)
			f.absent(Root, "new")
			content, err := f.read(f.lookup(Root, "known").Ino)
			require.NoError(t, err)
			require.Equal(t, "old", content)
		})
	}
}

func TestARefusedDirectoryGoesWithWhatIsInIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	f.service.fail("CreateDirectory", errNo)
	open := f.service.hold("CreateDirectory")
	d := f.mkdir(Root, "d")
	_, err := f.create(f.mkdir(d, "e"), "a", "one")
	require.NoError(t, err)
	open()
	f.drain()
	require.Len(t, f.store.Failed(), 1)
	require.Equal(t, "d/e/a", f.store.Failed()[0].Path)
	f.absent(Root, "d")
}

func TestADirectoryThatOthersMadeIsTaken(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	f.absent(Root, "d")
	_, err := f.service.CreateDirectory(ctx, 0, "d")
	require.NoError(t, err)
	_, err = f.create(f.mkdir(Root, "d"), "a", "one")
	require.NoError(t, err)
	f.drain()
	f.published("d/a", "one")
	require.Empty(t, f.store.Failed())
}

// away returns a store whose service is unreachable, with d/a and b queued.
func away(t *testing.T) *fixture {
	f := newFixture(t, writingBack)
	f.absent(Root, "d")
	f.service.goAway(unreachable)
	_, err := f.create(f.mkdir(Root, "d"), "a", "one")
	require.NoError(t, err)
	_, err = f.create(Root, "b", "two")
	require.NoError(t, err)
	return f
}

func TestChangesOfTheQueueCostNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(f *fixture) error
		want   map[string]string
	}{
		"rename a file":      {func(f *fixture) error { return f.rename(Root, "b", Root, "c") }, map[string]string{"d/a": "one", "c": "two"}},
		"into the directory": {func(f *fixture) error { return f.rename(Root, "b", f.lookup(Root, "d").Ino, "c") }, map[string]string{"d/a": "one", "d/c": "two"}},
		"over a file":        {func(f *fixture) error { return f.rename(Root, "b", f.lookup(Root, "d").Ino, "a") }, map[string]string{"d/a": "two"}},
		"the directory":      {func(f *fixture) error { return f.rename(Root, "d", Root, "e") }, map[string]string{"e/a": "one", "b": "two"}},
		"remove a file":      {func(f *fixture) error { return f.store.Unlink(ctx, Root, "b") }, map[string]string{"d/a": "one"}},
		"overwrite":          {func(f *fixture) error { return f.overwrite(f.lookup(Root, "b").Ino, "newer") }, map[string]string{"d/a": "one", "b": "newer"}},
		"from scratch": {func(f *fixture) error {
			if _, err := f.create(Root, ".b", "three"); err != nil {
				return err
			}
			return f.rename(Root, ".b", Root, "b")
		}, map[string]string{"d/a": "one", "b": "three"}},
		"truncate": {func(f *fixture) error { return f.store.SetSize(ctx, f.lookup(Root, "b").Ino, 2) }, map[string]string{"d/a": "one", "b": "tw"}},
		"remove all": {func(f *fixture) error {
			if err := f.store.Unlink(ctx, f.lookup(Root, "d").Ino, "a"); err != nil {
				return err
			}
			return f.store.Rmdir(ctx, Root, "d")
		}, map[string]string{"b": "two"}},
	} {
		for _, restart := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				f := away(t)
				require.NoError(t, c.change(f))
				if restart {
					f.reopen()
				}
				require.Empty(t, f.service.all())
				f.service.goAway(nil)
				f.drain()
				require.Equal(t, c.want, f.service.all())
				require.Empty(t, f.store.Failed())
				require.Zero(t, f.service.count("DeleteFile"))
				require.Zero(t, f.store.Status().SpoolBytes)
			})
		}
	}
}

func TestAFileThatIsWrittenAgainWaitsForItsClose(t *testing.T) {
	t.Parallel()
	f := away(t)
	ino := f.lookup(Root, "b").Ino
	h, err := f.store.Open(ino, true)
	require.NoError(t, err)
	_, err = h.Append([]byte(" and more"))
	require.NoError(t, err)
	f.eventually(func() bool { return !f.sending(ino) }) // the upload from before the open continues
	f.service.goAway(nil)
	f.eventually(func() bool { _, there := f.service.at("d/a"); return there })
	_, there := f.service.at("b")
	require.False(t, there)
	require.NoError(t, h.Flush(ctx))
	h.Release()
	f.drain()
	f.published("b", "two and more")
}

// sending reports whether an upload of a queued file is in progress.
func (f *fixture) sending(ino Ino) bool {
	state, _ := f.delivery(func(n *tree.Node) bool { return n.Ino == ino })
	return state.Active()
}

// cut reports whether the delivery of a path is cancelled.
func (f *fixture) cut(path string) bool {
	state, _ := f.delivery(func(n *tree.Node) bool { return n.Path() == path })
	return state.Cancelled()
}

// delivery returns the outbox state of a node's delivery.
func (f *fixture) delivery(of func(*tree.Node) bool) (state outbox.State, queued bool) {
	f.store.Mu.RLock()
	defer f.store.Mu.RUnlock()
	for _, i := range f.store.Outbox.List() {
		if of(i.Key.Node) {
			return i.State, true
		}
	}
	return 0, false
}

func TestDiscardingWhatIsQueued(t *testing.T) {
	t.Parallel()
	f := away(t)
	require.True(t, Is(f.store.DiscardQueued("nothing"), NotFound))
	require.NoError(t, f.store.DiscardQueued("b"))
	f.absent(Root, "b")
	require.NoError(t, f.store.DiscardQueued("d"))
	f.absent(Root, "d")
	f.eventually(f.store.Idle) // the upload in progress has ended
	require.Len(t, f.store.Failed(), 2)
	f.service.goAway(nil)
	require.NoError(t, f.store.RetryFailed(ctx, "b", Root, "b", false))
	f.published("b", "two")
}

func TestRetryNow(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack, func(o *Options) { o.Pause = func(int, error) time.Duration { return time.Hour } })
	f.service.fail("UploadFile", unreachable, &remote.Error{Kind: remote.Stalled}, unreachable)
	_, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	for range 2 {
		f.eventually(func() bool { return !f.store.Queue()[0].NextTry.IsZero() })
		f.store.RetryNow()
	}
	require.EqualValues(t, 2, f.service.askedNow.Load(), "the client does not wait until a service that was away is asked again")
	f.eventually(func() bool { return !f.store.Queue()[0].NextTry.IsZero() })
	f.drain() // whoever waits for the queue does not wait for a pause
	f.published("a", "one")
}

// TestWriteBackAgainstModel runs programs while the service comes and goes and the mount
// restarts: in the end the service has what the programs left.
func TestWriteBackAgainstModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tmp, err := os.MkdirTemp(memory(), "media-queue-")
		require.NoError(t, err)
		defer os.RemoveAll(tmp)
		f := makeFixture(t, tmp, writingBack, deleting)
		defer f.close()
		f.absent(Root, "nothing")
		files := map[string]string{}
		dirs := map[string]bool{"": true}
		dirOf := func(t *rapid.T) string {
			return rapid.SampledFrom(slices.Sorted(maps.Keys(dirs))).Draw(t, "dir")
		}
		ino := func(p string) Ino {
			a, err := f.store.Find(ctx, strings.TrimPrefix(p, "."))
			require.NoError(t, err, p)
			return a.Ino
		}
		name := rapid.SampledFrom([]string{"a", "b", "c"})
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				for p, content := range files {
					a, err := f.store.Find(ctx, p)
					require.NoError(t, err, p)
					require.EqualValues(t, len(content), a.Size, p)
				}
			},
			"write": func(t *rapid.T) {
				dir, name := dirOf(t), name.Draw(t, "name")
				p, content := path.Join(dir, name), rapid.StringN(1, 9, 20).Draw(t, "content")
				if _, there := files[p]; there {
					require.NoError(t, f.overwrite(ino(p), content))
				} else {
					_, err := f.create(ino(dir), name, content)
					require.NoError(t, err)
				}
				files[p] = content
			},
			"mkdir": func(t *rapid.T) {
				dir, name := dirOf(t), strings.ToUpper(rapid.SampledFrom([]string{"x", "y"}).Draw(t, "name"))
				p := path.Join(dir, name)
				if !dirs[p] {
					f.mkdir(ino(dir), name)
					dirs[p] = true
				}
			},
			"rename": func(t *rapid.T) {
				from, to := path.Join(dirOf(t), name.Draw(t, "old")), path.Join(dirOf(t), name.Draw(t, "new"))
				content, there := files[from]
				if !there || from == to || f.rename(ino(path.Dir(from)), path.Base(from), ino(path.Dir(to)), path.Base(to)) != nil {
					t.Skip() // refused while the service is away
				}
				delete(files, from)
				files[to] = content
			},
			"unlink": func(t *rapid.T) {
				p := path.Join(dirOf(t), name.Draw(t, "name"))
				if _, there := files[p]; !there || f.store.Unlink(ctx, ino(path.Dir(p)), path.Base(p)) != nil {
					t.Skip()
				}
				delete(files, p)
			},
			"away":    func(*rapid.T) { f.service.goAway(unreachable) },
			"back":    func(*rapid.T) { f.service.goAway(nil) },
			"restart": func(*rapid.T) { f.reopen() },
			"drain": func(*rapid.T) {
				f.service.goAway(nil)
				f.drain()
			},
		})
		f.service.goAway(nil)
		f.store.RetryNow()
		f.drain()
		require.Equal(t, files, f.service.all())
		require.Empty(t, f.store.Failed())
	})
}

// TestQueueOutlivesTheMachine checks that queued content survives a power loss although the
// spool lacks it.
func TestQueueOutlivesTheMachine(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	f.service.goAway(unreachable)
	contents := map[string]string{"empty": "", "gone": "one", "torn": "two", "there": "three", "large": strings.Repeat("four", 100_000)}
	spools := map[string]string{}
	for name, content := range contents {
		a, err := f.create(Root, name, content)
		require.NoError(t, err)
		spools[name] = f.store.Nodes[a.Ino].Body().Spool.Path
	}
	f.eventually(func() bool { return f.store.Status().Waiting == len(contents) })
	require.NoError(t, f.store.Close())
	for _, name := range []string{"empty", "gone"} {
		require.NoError(t, os.Remove(spools[name]))
	}
	require.NoError(t, os.Truncate(spools["torn"], 0))
	require.NoError(t, f.state.SetValue(recovery.BootKey, "another"))
	require.NoError(t, f.state.Close())

	f.service.goAway(nil)
	f.open()
	f.drain()
	for name, content := range contents {
		f.published(name, content)
	}
	require.Empty(t, f.store.Failed())
	require.NoError(t, f.store.Sync())
	var copies int
	require.NoError(t, f.state.DB().QueryRow("SELECT count(*) FROM media_copy").Scan(&copies))
	require.Zero(t, copies)
}

// TestTheQueueIsDebounced checks that nothing is sent while closes keep coming, so that
// rewritten content is sent once.
func TestTheQueueIsDebounced(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack, func(o *Options) { o.Debounce = time.Hour })
	a, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	require.NoError(t, f.overwrite(a.Ino, "two"))
	require.Zero(t, f.service.count("UploadFile"))
	f.store.RetryNow()
	f.drain()
	f.published("a", "two")
	require.Equal(t, 1, f.service.count("UploadFile"))
}
