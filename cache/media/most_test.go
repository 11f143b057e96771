package media

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHowLongContentCanBe(t *testing.T) {
	for v, want := range map[version]int64{
		{size: 10, kb: 1}:                 10,
		{size: -1, kb: 2}:                 3071,
		{size: -1, kb: 0}:                 1023,
		{size: -1, kb: -1}:                -1,
		{size: -1, kb: math.MaxInt64 - 1}: -1,
	} {
		require.Equal(t, want, v.most())
	}
}
