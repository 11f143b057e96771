package media

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/tree"
)

func TestHowLongContentCanBe(t *testing.T) {
	t.Parallel()
	for v, want := range map[tree.Version]int64{
		{Size: 10, KB: 1}:                 10,
		{Size: -1, KB: 2}:                 3071,
		{Size: -1, KB: 0}:                 1023,
		{Size: -1, KB: -1}:                -1,
		{Size: -1, KB: math.MaxInt64 - 1}: -1,
	} {
		require.Equal(t, want, v.Most())
	}
}
