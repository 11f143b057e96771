package pending

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadingAPDFInTheMomentThatItIsSent checks that a reader finds the PDF while it changes from
// pending to sent.
func TestReadingAPDFInTheMomentThatItIsSent(t *testing.T) {
	queued := new(Handle)
	for moment := range 5 { // the check after which the answer arrives; the last value is after all checks
		looks, sent := 0, false
		look := func() bool {
			defer func() { sent = sent || looks == moment; looks++ }()
			return sent
		}
		p, _, sha256, err := latest(func(any bool) *Handle {
			if look() || !any { // the PDF is not shown, because a write to it has failed
				return nil
			}
			return queued
		}, func() (*os.File, string, error) {
			if look() {
				return nil, "new", nil
			}
			return nil, "", os.ErrNotExist
		})
		require.NoError(t, err, moment)
		require.True(t, p == queued || sha256 == "new", moment)
	}
	_, _, _, err := latest(func(bool) *Handle { return nil }, func() (*os.File, string, error) { return nil, "", os.ErrNotExist })
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestReadingAPDFThatIsWritten checks that the PDF being written takes precedence over the sent one.
func TestReadingAPDFThatIsWritten(t *testing.T) {
	queued := new(Handle)
	p, _, _, err := latest(func(any bool) *Handle { return queued }, func() (*os.File, string, error) {
		queued = nil // it is sent at this moment
		return nil, "old", nil
	})
	require.NoError(t, err)
	require.NotNil(t, p)
}
