package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
	"paperfs/remote/xmlscan"
)

func TestCleanText(t *testing.T) {
	t.Parallel()
	for dirty, clean := range map[string]string{
		"two\r\nlines\rthree":        "two\nlines\nthree",
		"hyphen\x02\r\nated":         "hyphenated",
		" \x00\x07\ufffe\uffffblank": "blank",
		"bad\xffbytes\ttab":          "badbytes\ttab",
		"\u0085next":                 "next",
	} {
		require.Equal(t, clean, cleanText(dirty), "%q", dirty)
	}
}

// FuzzCleanText checks that XML can carry the cleaned text.
func FuzzCleanText(f *testing.F) {
	f.Add("a\r\nb\x02\r\nc\x00\ufffe")
	f.Fuzz(func(t *testing.T, s string) {
		clean := cleanText(s)
		if !xmlscan.Carries(clean) || strings.ContainsAny(clean, "\r\x02") || cleanText(clean) != clean {
			t.Fatalf("%q becomes %q", s, clean)
		}
	})
}

// FuzzCleanURI checks that an address is one line that XML can carry.
func FuzzCleanURI(f *testing.F) {
	f.Add(" https://example.org/\n")
	f.Add("https://example.org/\ufffe")
	f.Fuzz(func(t *testing.T, s string) {
		if clean := cleanURI(s); !xmlscan.Carries(clean) || len(clean) > longestURI || strings.ContainsAny(clean, "\r\n\t") {
			t.Fatalf("%q becomes %q", s, clean)
		}
	})
}

// TestWordsAreSeparateWhereLettersHaveGaps checks the words of text, lines and places of words at once.
func TestWordsAreSeparateWhereLettersHaveGaps(t *testing.T) {
	t.Parallel()
	contents := map[string]string{ // the words of a line, and how they are set
		"from any other start": "(from an) Tj 3.1 Tc 33.9 0 Td (yo) Tj 0 Tc 13.66 0 Td (ther start) Tj",
		"If there is":          "(I) Tj 2.78 0 Td 3 Tc (ft) Tj 0 Tc 8.56 0 Td (here is) Tj",
		"is given there":       "[(is giv)25(\\040)270(en there)] TJ",
		"HOME AND GARDEN":      "[(H)-350(O)-350(M)-350(E)-900(A)-350(N)-350(D)-900(G)-350(A)-350(R)-350(D)-350(E)-350(N)] TJ",
		"SPRING SALE":          "4 Tc [(SPRING)-400(SALE)] TJ",
		"AVATAR Today":         "[(A)80(V)80(A)80(T)80(AR T)100(oday)] TJ",
		"12 pcs 3.50 EUR":      "(12) Tj 60 0 Td (pcs) Tj 60 0 Td (3.50) Tj 30 0 Td (EUR) Tj",
		"a b c d e f":          "(a b c d e f) Tj",
		"justified text here":  "0.9 Tc 2 Tw (justified text here) Tj",
	}
	var b strings.Builder
	var want []string
	for words, content := range contents {
		b.WriteString("q BT /F1 10 Tf 1 0 0 1 50 " + fmt.Sprint(480-30*len(want)) + " Tm " + content + " ET Q\n")
		want = append(want, words)
	}
	p, _ := made(t, sheet{content: b.String()})
	require.Equal(t, strings.Join(want, "\n"), p.Text)
	require.Len(t, p.Lines, len(want))
	for i, l := range p.Lines {
		require.Equal(t, want[i], l.Text)
		require.Len(t, l.Words, 2*len(strings.Fields(l.Text)), l.Text)
		require.Greater(t, l.Words[2], l.Words[1], l.Text)
	}
}

// TestWordsLieWhereTheyAreShown checks that words are located by their own letters, whose widths differ.
func TestWordsLieWhereTheyAreShown(t *testing.T) {
	t.Parallel()
	r := testrun.Must(process(t, processor(Limits{}), write(t, pdftest.Text("iiiiiiiiii WWWWWWWWWW, i\nsingle")), Job{}))(t)
	line := r.pages[0].Lines[0]
	require.Len(t, line.Words, 6)
	narrow, wide := line.Words[1]-line.Words[0], line.Words[3]-line.Words[2]
	require.Greater(t, wide, 3.5*narrow)
	require.InDelta(t, line.X, line.Words[0], .005)
	require.InDelta(t, line.X+line.Width, line.Words[5], .005)
	require.Len(t, r.pages[0].Lines[1].Words, 2)
}
