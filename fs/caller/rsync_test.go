package caller

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCleansUp(t *testing.T) {
	const stat = "7 (%s) S 1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 1 1 1 1 1 1 1 1 1 0 0 %d 0 1 0 0 17 0"
	const usr1, usr2, pipe, xfsz = 1 << 9, 1 << 11, 1 << 12, 1 << 24
	for _, c := range []struct {
		program string
		ignored int
		want    bool
	}{
		{"rsync", usr1 | usr2 | pipe | xfsz, true},
		{"rsync", usr1 | usr2, true},
		{"rsync", pipe | xfsz, false},
		{"rsync", usr1, false},
		{"cp", usr1 | usr2, false},
		{"rsync) (x", usr1 | usr2, false},
	} {
		require.Equal(t, c.want, statIn(fmt.Sprintf(stat, c.program, c.ignored)).cleansUp(), "%s %x", c.program, c.ignored)
	}
	require.False(t, statIn("").cleansUp())
	require.False(t, Interrupted(0))
}
