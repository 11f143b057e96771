package admission

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func drained(r *Requests) bool {
	synctest.Wait()
	select {
	case <-r.Drained():
		return true
	default:
		return false
	}
}

// TestADrainWaitsForThoseItKnows checks that strangers' requests end after the limit and the pause,
// and that a request with good credentials is waited for, however long it takes.
func TestADrainWaitsForThoseItKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRequests()
		stranger, known, late := NewDeadlines(httptest.NewRecorder()), NewDeadlines(httptest.NewRecorder()), NewDeadlines(httptest.NewRecorder())
		r.Add(stranger)
		r.Add(known)
		known.Know()
		r.Drain(DrainLimit)
		r.Add(late)
		require.True(t, stranger.Ending())
		require.True(t, late.Ending(), "who comes during the drain is a stranger")
		require.False(t, known.Ending())
		late.Know()
		require.False(t, late.Ending(), "until the credentials have come")
		r.Remove(late)
		time.Sleep(time.Hour)
		require.False(t, drained(r), "a request with good credentials is under way")
		r.Remove(known)
		time.Sleep(DrainPause - time.Millisecond)
		require.False(t, drained(r), "its answer has no time to arrive")
		time.Sleep(time.Millisecond)
		require.True(t, drained(r), "only a stranger's request is left")
	})
}

// TestADrainEndsWhatMayStillBeWritten checks that a request without a length is not waited for until all of its body has come:
// a program may take hours to write it.
func TestADrainEndsWhatMayStillBeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRequests()
		d := &noted{ResponseRecorder: httptest.NewRecorder()}
		open := NewDeadlines(d)
		open.Open()
		r.Add(open)
		open.Know()
		r.Drain(DrainLimit)
		require.True(t, open.Ending())
		open.Read(time.Now().Add(StallLimit))
		for _, end := range d.set {
			require.WithinDuration(t, time.Now().Add(DrainLimit), end, 0)
		}
		b := &Body{ReadCloser: http.NoBody, Bounds: DefaultBounds(), Stall: StallLimit, Deadlines: open}
		_, err := b.Read(nil)
		require.ErrorIs(t, err, io.EOF)
		require.False(t, open.Ending())
		require.True(t, d.set[len(d.set)-1].IsZero(), "its answer takes as long as it takes")
	})
}

// TestADrainOfStrangersEndsAtItsLimit checks that nobody else is waited for.
func TestADrainOfStrangersEndsAtItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRequests()
		r.Add(NewDeadlines(httptest.NewRecorder()))
		r.Drain(DrainLimit)
		r.Drain(time.Hour) // only the first call counts
		time.Sleep(DrainLimit + DrainPause - time.Millisecond)
		require.False(t, drained(r))
		time.Sleep(time.Millisecond)
		require.True(t, drained(r))
	})
}
