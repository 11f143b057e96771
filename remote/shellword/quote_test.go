package shellword

import (
	"os/exec"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote/testrun"
)

func TestQuotedWordsSurviveTheShell(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOf(rapid.RuneFrom([]rune("ab'\" $`\\;&|*?~!#(){}<>äß-="))).Draw(t, "word")
		out, err := exec.Command("sh", "-c", "printf %s "+Quote(word)).Output()
		require.NoError(t, err)
		require.Equal(t, word, string(out))
	})
}

// TestHiddenCharactersAreShownAndSurvive checks that the quoted form of a word has no
// characters that control a terminal, and that a shell restores the word from it.
func TestHiddenCharactersAreShownAndSurvive(t *testing.T) {
	t.Parallel()
	bash := testrun.Program(t, "bash")
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"a", "7", "f", "'", `"`, " ", "$", "`", `\`, "!", "ä", "\uFFFD", "\n", "\t", "\x1b", "\x7f", "\u0085", "\u202e", "\u2028", "\xff", "\xc3"})
		word := strings.Join(rapid.SliceOf(part).Draw(t, "word"), "")
		quoted := Quote(word)
		require.NotContains(t, quoted, "\xff")
		require.False(t, strings.ContainsFunc(quoted, func(r rune) bool { return !unicode.IsPrint(r) }), "%q", quoted)
		out, err := exec.Command(bash, "-c", "printf %s "+quoted).Output()
		require.NoError(t, err)
		require.Equal(t, word, string(out))
	})
}
