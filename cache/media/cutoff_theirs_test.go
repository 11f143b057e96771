package media

import (
	"cmp"
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestACutUploadIsNotTakenForWhatOthersPut checks that a version which others put under a name whose upload a kill has
// cut, or may have cut, is not taken for what this mount sent: the next run sends nothing over it.
func TestACutUploadIsNotTakenForWhatOthersPut(t *testing.T) {
	t.Parallel()
	for play, c := range map[string]struct{ killAt, failed string }{
		"append":                    {"2 about to be sent", "one, and more"},
		"write over what is queued": {"3 half written", "two"},
	} {
		t.Run(play, func(t *testing.T) {
			p := cutProcess(t)
			p.judges = true
			p.killed(play, true, c.killAt)
			p.theirs("theirs")
			store, _ := p.next("")
			require.NoError(t, store.Drain(ctx))
			at, _ := p.at("x")
			require.Equal(t, sum([]byte("theirs")), at)
			var contents []string
			for _, e := range store.Failed() {
				f, err := store.OpenFailed(e.Name)
				require.NoError(t, err)
				content, err := io.ReadAll(f)
				require.NoError(t, errors.Join(err, f.Close()))
				contents = append(contents, string(content))
			}
			require.Contains(t, contents, c.failed)
		})
	}
}

// TestWhatACutUploadHasPutIsKnownAsOurs kills the process when the service has a part that was added to a file, and newer
// content is queued behind it: the next run knows the part as its own, and sends the newer content over it.
func TestWhatACutUploadHasPutIsKnownAsOurs(t *testing.T) {
	t.Parallel()
	p := cutProcess(t)
	p.judges = true
	p.killed("write over what is being sent", true, "2 uploaded")
	at, _ := p.at("x")
	require.Equal(t, sum([]byte("one, and more")), at)
	store, _ := p.next("")
	require.NoError(t, store.Drain(ctx))
	require.Empty(t, store.Failed())
	p.stands(store, "newer")
}

// TestACutCloseIsNotTakenForWhatOthersPut is TestACutUploadIsNotTakenForWhatOthersPut for a close that waits for its
// upload, and a program of the next run that has opened the file before others replaced it.
func TestACutCloseIsNotTakenForWhatOthersPut(t *testing.T) {
	t.Parallel()
	p := cutProcess(t)
	p.judges = true
	p.killed("overwrite", false, "2 about to be sent")
	store, _ := p.next("")
	x, err := store.Find(ctx, p.top+"/x")
	require.NoError(t, err)
	require.NoError(t, store.Refresh(ctx))
	h, err := store.Open(x.Ino, true)
	require.NoError(t, err)
	defer h.Release()
	_, err = h.Append([]byte(", and more"))
	require.NoError(t, err)
	p.theirs("theirs")
	require.NoError(t, store.Refresh(ctx))
	require.True(t, Is(h.Flush(ctx), Superseded))
	at, _ := p.at("x")
	require.Equal(t, sum([]byte("theirs")), at)
}

// TestAnUploadWithoutAnAnswerIsKnownAsOurs checks that what one of several uploads without an answer has put under a name is
// known as this mount's own.
func TestAnUploadWithoutAnAnswerIsKnownAsOurs(t *testing.T) {
	t.Parallel()
	p := cutProcess(t)
	p.queue("one")
	st, err := state.Open(p.dirs, "/mnt")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, st.Close()) })
	service := &losing{Service: p.client, effects: make(chan bool, 2)}
	store, err := Open(Options{Service: service, State: st, Reserve: -1, Linger: -1, Debounce: -1, WriteBack: true,
		Pause: func(int, error) time.Duration { return time.Hour }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	require.NoError(t, store.Drain(ctx))
	require.NoError(t, store.Refresh(ctx))
	for _, content := range []string{"two", "three"} {
		service.effects <- content == "two"
		x, err := store.Find(ctx, p.top+"/x")
		require.NoError(t, err)
		h, err := store.Open(x.Ino, true)
		require.NoError(t, err)
		require.NoError(t, h.Truncate(0))
		_, err = h.Append([]byte(content))
		require.NoError(t, err)
		require.NoError(t, h.Flush(ctx))
		h.Release()
		require.Eventually(t, func() bool {
			if len(service.effects) > 0 {
				store.RetryNow()
				return false
			}
			q := store.Queue()
			return len(q) == 0 || !q[0].Sending
		}, testrun.Patience(), time.Millisecond)
	}
	require.Eventually(t, func() bool {
		store.RetryNow()
		return len(store.Queue()) == 0
	}, testrun.Patience(), time.Millisecond)
	require.Empty(t, store.Failed())
	p.stands(store, "three")
}

// losing is a service whose uploads lose their answers, as long as it is told whether they take effect.
type losing struct {
	Service
	effects chan bool
}

func (s *losing) UploadFile(ctx context.Context, parent int64, name string, c remote.Content) (up remote.Upload, err error) {
	select {
	case effect := <-s.effects:
		if effect {
			_, err = s.Service.UploadFile(ctx, parent, name, c)
		}
		return up, cmp.Or(err, error(&remote.Error{Op: "UploadFile", Kind: remote.Broken, Ambiguous: true}))
	default:
		return s.Service.UploadFile(ctx, parent, name, c)
	}
}

// theirs puts content at x, as others do.
func (p *process) theirs(content string) {
	tree, err := p.client.GetTree(ctx)
	require.NoError(p.t, err)
	_, err = p.client.UploadFile(ctx, tree.Dirs[0].ID, "x", text(content))
	require.NoError(p.t, err)
}
