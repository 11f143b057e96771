package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestWrappedTextKeepsItsWords checks that no line is wider than asked, except one long word.
func TestWrappedTextKeepsItsWords(t *testing.T) {
	require.Nil(t, Wrap("  \n", 10))
	require.Equal(t, []string{"one two", "漢漢漢", "extraordinary", "x"}, Wrap("one two 漢漢漢\nextraordinary x", 8))
	rapid.Check(t, func(t *rapid.T) {
		text, width := rapid.String().Draw(t, "text"), rapid.IntRange(1, 40).Draw(t, "width")
		lines := Wrap(text, width)
		require.Equal(t, strings.Fields(text), strings.Fields(strings.Join(lines, " ")))
		for _, line := range lines {
			require.True(t, runewidth.StringWidth(line) <= width || !strings.Contains(line, " "), line)
		}
	})
}

// TestATableIsPrintable checks that columns stay aligned, and that no cell breaks its line.
func TestATableIsPrintable(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteTable(&out, func(line func(...any)) {
		line("NAME", "PAPERS")
		line("a\nb", 7)
	}))
	require.Equal(t, "NAME    PAPERS\na\\x0ab  7\n", out.String())
}

// TestOutputThatIsNoTerminalIsPlainText checks that no progress line appears there.
func TestOutputThatIsNoTerminalIsPlainText(t *testing.T) {
	var out bytes.Buffer
	require.Equal(t, usualWidth, Width(&out))
	Shown(&out, Always("asking"))()
	require.Empty(t, out.String())
}
