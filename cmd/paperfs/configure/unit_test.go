package configure

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWordsOfAUnit(t *testing.T) {
	for word, want := range map[string]string{
		"plain-1.0/x=y": "plain-1.0/x=y", "a b": `"a b"`, "": `""`, `a"b\c`: `"a\"b\\c"`, "50%": `"50%%"`, "$HOME": `"$$HOME"`, "a;b": `"a;b"`, "it's": `"it's"`,
		"caf\xe9/\xff": `"caf\xe9/\xff"`, "café": "café", "a\rb\nc": `"a\x0db\nc"`, "\uFFFD": "\uFFFD", "a\u202eb": `"a\u202eb"`,
	} {
		require.Equal(t, want, unitQuote(word), word)
	}
}
