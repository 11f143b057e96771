package store_test

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"paperfs/remote/service/store"
)

// TestWhatPeopleTypeFindsWhatTheyMean has texts as PDFs have them, and what people type for them.
func TestWhatPeopleTypeFindsWhatTheyMean(t *testing.T) {
	for text, typed := range map[string]string{
		"Montre\u0301al":                   "montréal",
		"Montréal":                         "MONTRE\u0301AL",
		"ΚΑΙ ᾳ":                            "και α\u0345",
		"Wert\u00adpapier\u00adindex":      "Wertpapierindex",
		"Immo\u00ad\nbilien":               "Immobilien",
		"Immo\u00ad \r\n bilien":           "immobilien",
		"scienti\ufb01c o\ufb03ce":         "scientific office",
		"\uff2fpen\u3000２４":                "open 24",
		"ｶﾞｽ":                              "ガス",
		"it’s ‘so’ o´clock, rock ʼn roll":  "it's 'so' o'clock, rock 'n roll",
		"„Ja“ ”no” 5′ 3″":                  `"ja" "no" 5' 3"`,
		"real‐hyphen non‑breaking 1914–18": "real-hyphen non-breaking 1914-18",
		"yes — no −5 x－y":                  "yes - no -5 x-y",
		"zero\u200bwid\ufeffth\u2060":      "zerowidth",
		"\u2068left\u200e\u2069 ❤\ufe0f":   "left ❤",
		"non\u00a0breaking\u2009thin":      "non breaking thin",
		"wait…":                            "wait...",
		"5 µm":                             "5 μm",
		" \t two \n\n three ":              "two three",
	} {
		require.Equal(t, store.Phrase(typed), store.Phrase(text), "%q", text)
	}
	for _, other := range [][2]string{{"Montreal", "Montréal"}, {"re-cover", "recover"}, {"its", "it's"}, {"a b", "ab"}, {"ß", "ss"}} {
		require.NotEqual(t, store.Phrase(other[0]), store.Phrase(other[1]))
	}
	require.Contains(t, store.Phrase("ΚΑΙ"), store.Phrase("ι"), "a part of a word is a part of its phrase")
	require.Empty(t, store.Phrase("\u00ad \u200b"))
}

// TestAPhraseIsOfTheMeaning checks that a phrase is its own phrase, and that composed and decomposed texts have the same.
func TestAPhraseIsOfTheMeaning(t *testing.T) {
	same := func(t require.TestingT, s string) {
		phrase := store.Phrase(s)
		require.Equal(t, phrase, store.Phrase(phrase), "%q: %q", s, phrase)
		require.Equal(t, phrase, store.Phrase(norm.NFC.String(s)), "%q", s)
		require.Equal(t, phrase, store.Phrase(norm.NFD.String(s)), "%q", s)
	}
	for r := range rune(unicode.MaxRune) {
		if unicode.IsGraphic(r) && !unicode.In(r, unicode.Han, unicode.Hangul) { // the many that are all alike
			same(t, "a"+string(r)+"b")
		}
	}
	odd := rapid.RuneFrom([]rune("aeoιίΐαΑςσΣſßẞİıIµμΩＡｱﾞﾟ가각각ﬁ½…‑–—−－’´`“ \n\t"), nil...)
	marks := rapid.RuneFrom([]rune("\u00ad\u0300\u0301\u0308\u030c\u0323\u0327\u0345\u034f\u093c\u200b\u200d\ufe0f\ufeff\u3099\u00a0"))
	rapid.Check(t, func(t *rapid.T) {
		same(t, rapid.OneOf(rapid.StringOf(rapid.OneOf(odd, marks)), rapid.String()).Draw(t, "text"))
	})
}
