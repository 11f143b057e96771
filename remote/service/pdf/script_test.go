package pdf

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// TestLettersBecomeWordsOfTheirScript checks hyphens, ligatures, accents of their own, and scripts that run from right to
// left or from top to bottom. Each letter of the PDF has a code, and Unicode for it.
func TestLettersBecomeWordsOfTheirScript(t *testing.T) {
	t.Parallel()
	codes := map[rune]int{}
	var cmap strings.Builder
	show := func(text string) (written string) {
		for _, r := range text {
			if codes[r] == 0 {
				codes[r] = len(codes) + 33
				fmt.Fprintf(&cmap, "<%02x><", codes[r])
				for _, unit := range utf16.Encode([]rune{r}) {
					fmt.Fprintf(&cmap, "%04x", unit)
				}
				cmap.WriteString(">")
			}
			written += fmt.Sprintf("%02x", codes[r])
		}
		return "<" + written + "> Tj"
	}
	var content strings.Builder
	line := 0
	put := func(operators string) {
		line++
		fmt.Fprintf(&content, "BT /F2 18 Tf 72 %d Td %s ET\n", 500-24*line, operators)
	}
	for _, text := range []string{"Hyphenated Poli-", "tikwissenschaft normal", "Softhyphen Immo\u00ad", "bilien after", "scienti\ufb01c and o\ufb03ce", "Que\u0301bec", "\uff2fpen", "Straße", "state-of-the-art",
		"םלוע םולש", "\ufee1\ufefc\ufeb4\ufedf\ufe8d"} { // Hebrew and Arabic as they are seen, from the left
		put(show(text))
	}
	logical := ""
	for _, r := range "שלום" { // each letter at the left of the one before
		logical += show(string(r)) + " -10 0 Td "
	}
	put("200 0 Td " + logical)
	p, _ := made(t, sheet{fonts: "/F2 5 0 R", content: content.String(), objects: []string{
		fmt.Sprintf("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 0/LastChar 255/Widths[%s]/ToUnicode 6 0 R>>", strings.Repeat("500 ", 256)),
		pdftest.Stream("", fmt.Sprintf("begincmap 1 begincodespacerange <00><ff> endcodespacerange %d beginbfchar %s endbfchar endcmap", len(codes), cmap.String())),
	}})
	require.Equal(t, []string{"Hyphenated Politikwissenschaft normal", "Softhyphen Immobilien after", "scientific and office", "Québec", "Ｏpen", "Straße", "state-of-the-art",
		"שלום עולם", "السلام", "שלום"}, strings.Split(p.Text, "\n"))
	require.Len(t, p.Lines, 12)
}

// TestVerticalTextIsOneLine checks text that runs from top to bottom in a font that is not embedded.
func TestVerticalTextIsOneLine(t *testing.T) {
	t.Parallel()
	p, _ := made(t, sheet{content: "BT /F2 40 Tf 100 450 Td <7e2666f8304d306e65877ae0> Tj ET", fonts: "/F2 5 0 R", objects: []string{
		"<</Type/Font/Subtype/Type0/BaseFont/KozMinPro-Regular/Encoding/UniJIS-UCS2-V/DescendantFonts[6 0 R]>>",
		"<</Type/Font/Subtype/CIDFontType0/BaseFont/KozMinPro-Regular/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 4>>/FontDescriptor 7 0 R/DW 1000>>",
		"<</Type/FontDescriptor/FontName/KozMinPro-Regular/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 700/StemV 80>>",
	}})
	require.Equal(t, "縦書きの文章", p.Text)
	require.Len(t, p.Lines, 1)
	l := p.Lines[0]
	require.Greater(t, l.Height, 4*l.Width)
	require.InDelta(t, .2, l.X+l.Width/2, .02)
	require.InDelta(t, .1, l.Y, .03)
	for n := range 6 {
		require.Less(t, seen(drawn(t, p), white, 80, 410-40*n, 120, 450-40*n), .95, "letter %d is drawn", n)
	}
	require.Equal(t, 1., seen(drawn(t, p), white, 130, 0, 500, 500))
}
