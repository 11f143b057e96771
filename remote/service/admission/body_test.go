package admission

import (
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// noted records the read deadlines set on a connection.
type noted struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *noted) SetReadDeadline(t time.Time) error {
	d.set = append(d.set, t)
	return nil
}

func TestStallReader(t *testing.T) {
	body := func(r io.Reader) (*noted, *Body) {
		d := &noted{ResponseRecorder: httptest.NewRecorder()}
		return d, &Body{ReadCloser: io.NopCloser(r), Bounds: DefaultBounds(), Stall: StallLimit, Deadlines: NewDeadlines(d)}
	}
	d, r := body(iotest.OneByteReader(strings.NewReader("ab")))
	require.Equal(t, "ab", string(testrun.Must(io.ReadAll(r))(t)))
	require.Greater(t, len(d.set), 3)
	require.WithinDuration(t, time.Now().Add(StallLimit), d.set[0], time.Minute)
	require.True(t, d.set[len(d.set)-1].IsZero(), "a deadline is left after the body")

	gone := errors.New("gone")
	_, r = body(iotest.ErrReader(gone))
	_, err := r.Read(nil)
	var broken *BodyError
	require.ErrorAs(t, err, &broken)
	require.ErrorIs(t, err, gone)
}
