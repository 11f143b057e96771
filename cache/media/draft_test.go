package media

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// read returns the content that a draft sends.
func read(t *testing.T, c remote.Content) string {
	r, err := c.Open()
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(data)
}

// WriteAt writes as a program does.
func (d *Draft) WriteAt(p []byte, off int64) (int, error) { return d.h.WriteAt(p, off) }

// TestADraftThatIsWrittenWhileItIsSent checks that the content being sent does not change, and
// that its outcome does not affect content written in the meantime.
func TestADraftThatIsWrittenWhileItIsSent(t *testing.T) {
	t.Parallel()
	refused, killed := errors.New("refused"), errors.New("killed")
	for name, c := range map[string]struct{ outcome, spoilt error }{
		"sent":                {nil, nil},
		"refused":             {refused, nil},
		"sent, and spoilt":    {nil, killed},
		"refused, and spoilt": {refused, killed},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			d := f.store.NewDraft(7, 0, "papers/a/source.pdf")
			_, err := d.WriteAt([]byte("one and all"), 0)
			require.NoError(t, err)
			err = d.Send(func(content remote.Content) (string, error) {
				_, err := d.WriteAt([]byte(", two"), 3)
				require.NoError(t, err)
				require.NoError(t, d.Truncate(8))
				if c.spoilt != nil {
					d.LetGo(c.spoilt)
				}
				require.EqualValues(t, 8, d.Size())
				require.False(t, d.Clean())
				require.Equal(t, "one and all", read(t, content))
				return sum([]byte("one and all")), c.outcome
			})
			require.Equal(t, c.outcome, err)
			require.Equal(t, c.spoilt == nil, d.Untried())
			again := ""
			err = d.Send(func(content remote.Content) (string, error) {
				again = read(t, content)
				return sum([]byte(again)), nil
			})
			require.ErrorIs(t, err, c.spoilt)
			d.Close()
			kept, err := f.store.OpenContent(sum([]byte("one and all")))
			require.Equal(t, c.outcome == nil, err == nil, "sent content is cached")
			if err == nil {
				require.NoError(t, kept.Close())
			}
			if c.spoilt != nil {
				require.Empty(t, again)
				require.Len(t, f.store.Failed(), 1)
				require.EqualValues(t, 8, f.store.Failed()[0].Size)
				return
			}
			require.Equal(t, "one, two", again)
			require.Empty(t, f.store.Failed())
			require.Zero(t, f.store.Status().SpoolBytes)
		})
	}
}

// TestQueuingADraftThatEnds checks that nothing remains of a draft whose name is removed
// before or after it is queued.
func TestQueuingADraftThatEnds(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	to := Queuing{Check: func(remote.Content) error { return nil }}
	for _, endsFirst := range []bool{true, false} {
		d := f.store.NewDraft(7, 0, "/papers/a.paper/source.pdf")
		_, err := d.WriteAt([]byte("%PDF of one"), 0)
		require.NoError(t, err)
		if endsFirst {
			d.Close()
			require.ErrorIs(t, d.Queue(to), os.ErrClosed)
		} else {
			require.NoError(t, d.Queue(to))
			d.Close()
		}
		require.False(t, d.Queued())
		require.Empty(t, f.store.Queue())
		require.Zero(t, f.store.Status().SpoolBytes)
	}
	f.reopen()
	require.Empty(t, f.store.QueuedPDFs())
	require.Empty(t, f.store.Failed())
}

// TestSendingAQueuedDraftThatWasTakenOut checks that neither the queued nor the newer content
// is sent if the content left the queue just before.
func TestSendingAQueuedDraftThatWasTakenOut(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]bool{"closed": false, "written": true} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, writingBack)
			d := f.store.NewDraft(7, 0, "/papers/a.paper/source.pdf")
			_, err := d.WriteAt([]byte("%PDF of one"), 0)
			require.NoError(t, err)
			require.NoError(t, d.Queue(Queuing{Check: func(remote.Content) error { return nil }}))
			if more {
				_, err = d.WriteAt([]byte("%PDF of tw"), 0)
				require.NoError(t, err)
			}
			d.Unqueue(false)
			require.NoError(t, d.SendQueued(func(remote.Content) (string, error) {
				t.Error("the content must not be sent")
				return "", errors.New("cut")
			}))
			require.NoError(t, d.Failure())
			d.Close()
			require.Empty(t, f.store.Failed())
		})
	}
}

// TestADraftEndsOnceItCanBeRead checks that Release, during a Send or while its success is
// being recorded, calls ended only when the content cache has the content.
func TestADraftEndsOnceItCanBeRead(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	d := f.store.NewDraft(7, 0, "/papers/a.paper/source.pdf")
	_, err := d.WriteAt([]byte("%PDF of one"), 0)
	require.NoError(t, err)
	require.NoError(t, d.Queue(Queuing{Check: func(remote.Content) error { return nil }}))
	ended := make(chan error, 1)
	require.NoError(t, d.SendQueued(func(remote.Content) (string, error) {
		d.Release(func() { t.Error("the draft has no other content to send") }, func() {
			kept, err := f.store.OpenContent(sum([]byte("%PDF of one")))
			if err == nil {
				err = kept.Close()
			}
			ended <- err
		})
		require.Empty(t, ended)
		return sum([]byte("%PDF of one")), nil
	}))
	require.NoError(t, <-ended)
}

// TestWhatWasSeenOfAPaper checks that Seen is valid until a whole request was sent, even after
// a kill, and is valid again after the service refuses the request.
func TestWhatWasSeenOfAPaper(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	d := f.store.NewDraft(7, 0, "/papers/a.paper/source.pdf")
	_, err := d.WriteAt([]byte("%PDF of one"), 0)
	require.NoError(t, err)
	require.NoError(t, d.Queue(Queuing{Seen: "pages", Check: func(remote.Content) error { return nil }}))
	seen := func(want string) {
		t.Helper()
		require.Equal(t, want, d.About().Seen)
		require.Equal(t, want == "", d.About().MayBeThere)
		left := f.killed(t, false).store.QueuedPDFs()
		require.Len(t, left, 1)
		require.Equal(t, want, left[0].About().Seen)
		require.Equal(t, want == "", left[0].About().MayBeThere)
	}
	for _, ambiguous := range []bool{false, true} {
		refused := &remote.Error{Kind: remote.Refused, Ambiguous: ambiguous}
		require.ErrorIs(t, d.SendQueued(func(content remote.Content) (string, error) {
			r, err := content.Open()
			require.NoError(t, err)
			seen("pages")
			_, err = io.ReadAll(r)
			require.NoError(t, err)
			require.NoError(t, r.Close())
			require.NoError(t, content.(interface{ Finish() error }).Finish())
			seen("")
			return "", refused
		}), refused)
		if !ambiguous {
			seen("pages")
		}
	}
	seen("")
}

// TestASentDraftThatCannotBeKept checks that such a draft replaces no unsent entry of failed/:
// both stay.
func TestASentDraftThatCannotBeKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const path = "/papers/a.paper/source.pdf"
	send := func(content string, refused error) *Draft {
		d := f.store.NewDraft(7, 0, path)
		_, err := d.WriteAt([]byte(content), 0)
		require.NoError(t, err)
		require.ErrorIs(t, d.Send(func(remote.Content) (string, error) { return sum([]byte(content)), refused }), refused)
		return d
	}
	first := send("%PDF that was sent", nil)
	send("%PDF that was refused", errors.New("refused")).Close()
	cache := f.state.CacheDir("media")
	require.NoError(t, os.RemoveAll(cache))
	require.NoError(t, os.WriteFile(cache, nil, 0o600))
	first.Close()
	sizes := map[string]int64{}
	for _, e := range f.store.Failed() {
		sizes[e.Path+e.Suffix] = e.Size
	}
	require.Equal(t, map[string]int64{path: 21, path + " (older)": 18}, sizes)
}

// refusedPDF publishes a queued draft that the service refuses, and then closes it.
type refusedPDF struct{ *Draft }

func (refusedPDF) Publish(context.Context) error {
	return &Error{Kind: Invalid, Detail: "the service refuses it"}
}
func (refusedPDF) Delayed(error)     {}
func (r refusedPDF) Published(error) { r.Close() }

// TestNoRoomBesideAQueuedDraftThatIsRefused checks that a queued PDF goes to failed/ if the service
// refuses it, though a later write to it found no room.
func TestNoRoomBesideAQueuedDraftThatIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack, func(o *Options) { o.Quota = 15 })
	d := f.store.NewDraft(7, 0, "/papers/a.paper/source.pdf")
	_, err := d.WriteAt([]byte("%PDF of one"), 0)
	require.NoError(t, err)
	require.NoError(t, d.Queue(Queuing{Check: func(remote.Content) error { return nil }}))
	_, err = d.WriteAt([]byte("%PDF of two"), 0)
	require.True(t, Is(err, Full), "%v", err)
	d.PublishBy(refusedPDF{d})
	f.eventually(func() bool { return len(f.store.Failed()) == 1 })
	require.Contains(t, f.store.Failed()[0].Reason, "the service refuses it")
	require.Equal(t, map[string]string{"/papers/a.paper/source.pdf": "%PDF of one"}, f.inFailed())
}
