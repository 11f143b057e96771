package service

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
)

// deadlines notes the read deadlines that are set on a connection.
type deadlines struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.set = append(d.set, t)
	return nil
}

func TestStallReader(t *testing.T) {
	d := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	r := &stallReader{http.NewResponseController(d), iotest.OneByteReader(strings.NewReader("ab"))}
	content, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "ab", string(content))
	require.Greater(t, len(d.set), 3)
	require.WithinDuration(t, time.Now().Add(stallLimit), d.set[0], time.Minute)
	require.True(t, d.set[len(d.set)-1].IsZero(), "a deadline is left behind the body")

	gone := errors.New("gone")
	_, err = (&stallReader{http.NewResponseController(d), iotest.ErrReader(gone)}).Read(nil)
	var broken *bodyError
	require.ErrorAs(t, err, &broken)
	require.ErrorIs(t, err, gone)
}
