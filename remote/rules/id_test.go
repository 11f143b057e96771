package rules

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestID(t *testing.T) {
	for s, want := range map[string]int64{"5": 5, " 5\t": 5, "0005": 5, "2147483647": 2147483647} {
		got, ok := ID(s)
		require.True(t, ok, s)
		require.Equal(t, want, got)
	}
	for _, s := range []string{"", " ", "0", "-1", "+5", "05x", "1.0", "0x5", "2147483648", "99999999999999999999", "1 2", "٣"} {
		_, ok := ID(s)
		require.False(t, ok, s)
	}
	got, ok := IDOrZero("0")
	require.True(t, ok)
	require.Zero(t, got)
}

func TestKB(t *testing.T) {
	for bytes, want := range map[int64]int64{0: 0, 1: 1, 1024: 1, 1025: 2} {
		require.Equal(t, want, KB(bytes))
	}
}

func TestStructure(t *testing.T) {
	require.Equal(t, "True", Structure(true))
	require.Equal(t, "False", Structure(false))
}
