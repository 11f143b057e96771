package inode

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestATimeIsKeptOrTheNearest checks every time that a program may set.
func TestATimeIsKeptOrTheNearest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "seconds"), rapid.Int64Range(0, second-1).Draw(t, "nanoseconds"))
		kept := InstantOf(at).Time()
		switch {
		case at.Unix() < FirstSecond:
			require.EqualValues(t, FirstSecond, kept.Unix())
		case at.Unix() > LastSecond:
			require.EqualValues(t, LastSecond, kept.Unix())
		default:
			require.True(t, at.Equal(kept), "%v became %v", at, kept)
		}
	})
	require.Zero(t, InstantOf(time.Time{}).Time().Unix())
}

// TestOnlyADigestIsOne checks that text of the service that is no digest stands for an unknown one.
func TestOnlyADigestIsOne(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("content"))
	text := hex.EncodeToString(sum[:])
	require.Equal(t, Digest(sum), DigestOf(text))
	require.Equal(t, text, DigestOf(text).String())
	for _, other := range []string{"", text[1:], text + "0", "g" + text[1:], text[:63] + "\x00"} {
		require.False(t, DigestOf(other).Known(), "%q", other)
		require.Empty(t, DigestOf(other).String())
	}
}
