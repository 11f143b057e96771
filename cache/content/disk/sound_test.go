package disk

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestAnOpenIsNoVerdictOnTheDisk checks that a sync that could not begin, because the process or the
// machine had no descriptor or no memory, does not count as a failed one.
func TestAnOpenIsNoVerdictOnTheDisk(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		good bool
	}{
		"no descriptor of the process": {&os.PathError{Op: "open", Err: unix.EMFILE}, true},
		"no descriptor at all":         {&os.PathError{Op: "open", Err: unix.ENFILE}, true},
		"no memory for an open":        {&os.PathError{Op: "open", Err: unix.ENOMEM}, true},
		"an open of a broken disk":     {&os.PathError{Op: "open", Err: unix.EIO}, false},
		"no memory for a sync":         {&os.PathError{Op: "sync", Err: unix.ENOMEM}, false},
		"a sync":                       {unix.EIO, false},
	} {
		t.Run(name, func(t *testing.T) {
			var s Soundness
			require.ErrorIs(t, s.Sync(func() error { return c.err }), c.err, "the caller is told")
			then := s.Sync(func() error { return nil })
			if c.good {
				require.NoError(t, then)
				require.NoError(t, s.Failure())
			} else {
				require.ErrorIs(t, then, c.err)
				require.ErrorIs(t, s.Failure(), c.err)
			}
		})
	}
}
