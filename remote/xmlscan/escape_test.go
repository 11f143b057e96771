package xmlscan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCarries(t *testing.T) {
	for _, s := range []string{"", "a\tb\r\n", "\u0085\ufffd\U0001F600", "]]>"} {
		require.True(t, Carries(s), "%q", s)
	}
	for _, s := range []string{"\x00", "\x0b", "\ufffe", "\uffff", "\xff", "\xed\xa0\x80"} {
		require.False(t, Carries(s), "%q", s)
	}
}
