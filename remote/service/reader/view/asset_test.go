package view

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOtherWordsAreAnotherVersion checks that changed words change the version, so that clients reload pages.
func TestOtherWordsAreAnotherVersion(t *testing.T) {
	require.Equal(t, Version(), version())
	german := Languages()["de"]
	t.Cleanup(func() { Languages()["de"] = german })
	other := german
	other.Next = "Nächste"
	Languages()["de"] = other
	require.NotEqual(t, Version(), version())
}

// TestScriptsAreSentWithoutComments checks that scripts lose their comments, and blanks that mean nothing.
func TestScriptsAreSentWithoutComments(t *testing.T) {
	const script = "// @ts-check\n/** One. @param {string} a */\nexport const f = a => a // of one\n\n/** Two\n * lines. */\n  /** @type {any} */ (f)()\n"
	require.Equal(t, "export const f=a=>a\n(f)()\n", string(withoutComments([]byte(script))))
}

// TestStylesAreSentWithoutBlanks checks that styles lose blanks only where these mean nothing.
func TestStylesAreSentWithoutBlanks(t *testing.T) {
	const style = ".a .b, a > b:not(.c) { color: red; width: calc(1px + 2vw); }\n\n@media print {\n  i { margin: 0 auto; }\n}\n\nb {\n  color: red;\n  margin: 0;\n}\n"
	require.Equal(t, ".a .b,a > b:not(.c){color:red;width:calc(1px + 2vw)}\n@media print{i{margin:0 auto}}\nb{color:red;margin:0}", withoutBlanks.Replace(style))
}

// TestScriptsAndStylesAreSmall limits scripts and styles, compressed: those of a first view, and all together.
func TestScriptsAndStylesAreSmall(t *testing.T) {
	total, first := 0, 0
	for _, f := range assets().Files {
		total += len(f.Zipped)
	}
	for _, name := range []string{"reader.css", "paging.js", "reader.js"} {
		first += len(assets().Files[assets().Names[name]].Zipped)
	}
	t.Logf("%d bytes of %d", first, total)
	require.LessOrEqual(t, first, 16<<10)
	require.LessOrEqual(t, total, 38<<10)
}
