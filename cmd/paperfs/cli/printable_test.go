package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestNamesCannotSteerATerminal checks that control characters are shown as numbers, and that all
// other text stays.
func TestNamesCannotSteerATerminal(t *testing.T) {
	for text, want := range map[string]string{
		"Spring sale äß 漢":     "Spring sale äß 漢",
		"a\x1b[31mb\a\x7f":     `a\x1b[31mb\x07\x7f`,
		"a\nb\tc":              `a\x0ab\x09c`,
		"x\u202ey\u2028\u0085": `x\u202ey\u2028\u0085`,
		"\xff\xc3\uFFFD":       `\xff\xc3` + "\uFFFD",
	} {
		require.Equal(t, want, Printable(text))
	}
	require.Equal(t, "a\nb\\x1b", PrintableLines("a\nb\x1b"))
	rapid.Check(t, func(t *rapid.T) {
		for _, r := range Printable(rapid.String().Draw(t, "text")) {
			require.False(t, steers(r), "%q", r)
		}
	})
}

// TestAnErrorKeepsANameOnALine checks that a name with a line end cannot look like a message of its own.
func TestAnErrorKeepsANameOnALine(t *testing.T) {
	err := errors.New("media/a\npaperfs: all is well: no such file\nRun: paperfs doctor")
	require.Equal(t, "media/a\\x0apaperfs: all is well: no such file\nRun: paperfs doctor",
		PrintableError(err, []string{"stat", "media/a\npaperfs: all is well"}))
}

// TestJSONMeansTheSame checks that JSON is written without such characters, and that programs read the
// same values from it.
func TestJSONMeansTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.String().Draw(t, "value") + rapid.SampledFrom([]string{"", "\u202e", "\u2028", "\u0085", "\x7f"}).Draw(t, "end")
		text, err := json.Marshal(value)
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, WriteJSON(&out, text))
		require.NotContains(t, out.String(), "\u202e")
		var read string
		require.NoError(t, json.Unmarshal(out.Bytes(), &read))
		require.Equal(t, value, read)
	})
}
