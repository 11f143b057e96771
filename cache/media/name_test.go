package media

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/cache/content/tree"
)

func TestCheckName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a", "übergröße.jpg", "]]>", `"quoted" & <tagged>`, "a b", "...", "日本語.png", strings.Repeat("x", 255)} {
		require.NoError(t, tree.CheckName(name), name)
	}
	for _, name := range []string{"", ".", "..", "a/b", `a\b`, "a\nb", "\x7f", "a\u0085b", " a", "a ", "\u00a0a", "a\xff", "a\uffff"} {
		require.True(t, Is(tree.CheckName(name), Invalid), "%q", name)
	}
	require.True(t, Is(tree.CheckName(strings.Repeat("x", 256)), TooLong))
	require.True(t, Is(tree.CheckName(strings.Repeat("ü", 128)), TooLong))
}

func TestFold(t *testing.T) {
	t.Parallel()
	require.Equal(t, tree.Fold("MAKEFILE"), tree.Fold("makefile"))
	require.Equal(t, tree.Fold("ÜBER"), tree.Fold("über"))
	require.Equal(t, tree.Fold("Σίσυφος"), tree.Fold("σίσυφοσ"))
	require.Equal(t, tree.Fold("K"), tree.Fold("\u212a")) // KELVIN SIGN
	require.NotEqual(t, tree.Fold("ß"), tree.Fold("ss"))
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.String().Draw(t, "a")
		b := rapid.String().Draw(t, "b")
		require.Equal(t, tree.Fold(a), tree.Fold(tree.Fold(a)))
		require.Equal(t, strings.EqualFold(a, b), tree.Fold(a) == tree.Fold(b))
		require.True(t, strings.EqualFold(a, tree.Fold(a)))
	})
}

func FuzzCheckName(f *testing.F) {
	for _, seed := range []string{"a.jpg", " a", "a\x00", "]]>", "\xff\xfe", strings.Repeat("ß", 200)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if tree.CheckName(name) != nil {
			return
		}
		require.True(t, utf8.ValidString(name))
		require.NotEmpty(t, name)
		require.LessOrEqual(t, len(name), 255)
		require.False(t, strings.ContainsAny(name, "/\\\x00\r\n\t"))
		require.Equal(t, strings.TrimSpace(name), name)
	})
}
