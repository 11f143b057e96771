package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
