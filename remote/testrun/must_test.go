package testrun

import (
	"io"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// failing is a test that only notes how it ended.
type failing struct {
	testing.TB
	said bool
}

func (f *failing) Helper()               {}
func (f *failing) Errorf(string, ...any) { f.said = true }
func (f *failing) FailNow()              { runtime.Goexit() }

// TestMustEndsATestWhoseCallFailed checks that nothing behind such a call runs.
func TestMustEndsATestWhoseCallFailed(t *testing.T) {
	f, passed, ended := &failing{TB: t}, false, make(chan struct{})
	go func() {
		defer close(ended)
		Must(1, io.EOF)(f)
		passed = true
	}()
	<-ended
	require.Equal(t, []bool{true, false}, []bool{f.said, passed})
	require.Equal(t, 1, Must(1, nil)(t))
	value, other := Must2(1, "x", nil)(t)
	require.Equal(t, []any{1, "x"}, []any{value, other})
}
