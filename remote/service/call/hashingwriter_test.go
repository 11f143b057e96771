package call

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote/service/store"
)

// shelf is a draft with limited space.
type shelf struct {
	store.Draft
	bytes.Buffer
	room int
}

var errFull = errors.New("full")

func (s *shelf) Write(p []byte) (int, error) {
	if s.room -= len(p); s.room < 0 {
		return 0, errFull
	}
	return s.Buffer.Write(p)
}

// TestIntake checks that the draft gets all content, whatever the sizes of the writes, and that
// hashingWriter returns the draft's error.
func TestIntake(t *testing.T) {
	t.Parallel()
	content := make([]byte, asideFrom+5*asidePiece)
	rand.NewChaCha8([32]byte{}).Read(content)
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.OneOf(rapid.IntRange(0, len(content)), rapid.SampledFrom([]int{asideFrom, asideFrom + 1, asideFrom + asidePiece, len(content)})).Draw(t, "size")
		most := rapid.IntRange(1, 2*asidePiece).Draw(t, "most")
		room := rapid.IntRange(0, 2*len(content)).Draw(t, "room")
		s := &shelf{room: room}
		i := newHashingWriter(s)
		var err error
		for rest := content[:size]; err == nil && len(rest) > 0; {
			n := min(len(rest), most)
			_, err = i.Write(rest[:n])
			rest = rest[n:]
		}
		if end := i.end(); err == nil {
			err = end
		}
		require.Equal(t, err, i.end(), "repeated calls return the same")
		if room < size {
			require.Equal(t, errFull, err)
			return
		}
		require.NoError(t, err)
		require.True(t, bytes.Equal(content[:size], s.Bytes()))
		require.Equal(t, sha256.Sum256(content[:size]), [sha256.Size]byte(i.sum.Sum(nil)))
	})
}
