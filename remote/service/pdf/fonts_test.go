package pdf

import (
	"encoding/hex"
	"fmt"
	"image"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// TestTextInFontsThatAreNotInThePDF checks that each letter is drawn, and as no other is.
func TestTextInFontsThatAreNotInThePDF(t *testing.T) {
	t.Parallel()
	names := strings.Fields("afii10017 afii10018 afii10031 afii10047 lslash rcaron gbreve Idotaccent ohungarumlaut Omega alpha beta zcaron eogonek")
	for _, font := range []string{"Arial", "TimesNewRoman,Bold", "CourierNew", "ArialMT", "Georgia-Italic", "UnknownSans"} {
		t.Run(font, func(t *testing.T) {
			t.Parallel()
			content := ""
			for i := range len(names) {
				content += fmt.Sprintf("BT /F2 24 Tf %d %d Td (%c) Tj ET\n", 10+60*(i%8), 400-100*(i/8), 'A'+i)
			}
			p, _ := made(t, sheet{
				page: "", resources: "", content: content,
				objects: []string{
					fmt.Sprintf("<</Type/Font/Subtype/TrueType/BaseFont/%s/FirstChar 65/LastChar %d/Widths[%s]/FontDescriptor 6 0 R/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[65/%s]>>>>",
						font, 64+len(names), strings.Repeat("700 ", len(names)), strings.Join(names, "/")),
					fmt.Sprintf("<</Type/FontDescriptor/FontName/%s/Flags 32/FontBBox[-665 -325 2000 1006]/ItalicAngle 0/Ascent 905/Descent -212/CapHeight 716/StemV 80>>", font),
				},
				fonts: "/F2 5 0 R",
			})
			requireDifferentLetters(t, drawn(t, p), len(names))
		})
	}
}

func TestTextInAsianFontsThatAreNotInThePDF(t *testing.T) {
	t.Parallel()
	for name, font := range map[string]struct{ ordering, encoding, text string }{
		"KozMinPro-Regular": {"Japan1", "UniJIS-UCS2-H", "日本語の雑誌"},
		"STSong-Light":      {"GB1", "UniGB-UCS2-H", "中文目录春季"},
		"MSung-Light":       {"CNS1", "UniCNS-UCS2-H", "繁體中文目錄"},
		"HYSMyeongJo":       {"Korea1", "UniKS-UCS2-H", "한국어잡지봄"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content := ""
			for i, r := range []rune(font.text) {
				u := utf16.Encode([]rune{r})[0]
				content += fmt.Sprintf("BT /F2 24 Tf %d 400 Td <%s> Tj ET\n", 10+60*i, hex.EncodeToString([]byte{byte(u >> 8), byte(u)}))
			}
			p, _ := made(t, sheet{content: content, fonts: "/F2 5 0 R", objects: []string{
				fmt.Sprintf("<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/%s/DescendantFonts[6 0 R]>>", name, font.encoding),
				fmt.Sprintf("<</Type/Font/Subtype/CIDFontType0/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(%s)/Supplement 4>>/FontDescriptor 7 0 R/DW 1000>>", name, font.ordering),
				fmt.Sprintf("<</Type/FontDescriptor/FontName/%s/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 700/StemV 80>>", name),
			}})
			requireDifferentLetters(t, drawn(t, p), 6)
			require.Equal(t, font.text, strings.Join(strings.Fields(p.Text), ""))
		})
	}
}

// requireDifferentLetters looks at letters in cells of 60 by 100 points, eight in a row below 450.
func requireDifferentLetters(t *testing.T, picture image.Image, letters int) {
	t.Helper()
	scale := float64(picture.Bounds().Dx()) / 500
	seen := map[string]int{}
	for i := range letters {
		var shape strings.Builder
		left, top := int(float64(5+60*(i%8))*scale), int(float64(60+100*(i/8))*scale)
		for y := range int(60 * scale) {
			for x := range int(50 * scale) {
				r, _, _, _ := picture.At(left+x, top+y).RGBA()
				shape.WriteByte("#."[min(r>>15, 1)])
			}
		}
		require.Contains(t, shape.String(), "#", "letter %d is blank", i)
		other, again := seen[shape.String()]
		require.False(t, again, "letters %d and %d are the same", i, other)
		seen[shape.String()] = i
	}
}

// TestLettersThatNoFontHasAreTold checks Hebrew letters, and the invisible text of a scan.
func TestLettersThatNoFontHasAreTold(t *testing.T) {
	t.Parallel()
	p, _ := made(t, sheet{
		content: "BT /F2 24 Tf 50 400 Td (AB) Tj ET BT /F2 24 Tf 3 Tr 50 300 Td (C) Tj ET BT /F3 24 Tf 3 Tr 50 200 Td (A) Tj ET",
		fonts:   "/F2 5 0 R/F3 7 0 R",
		objects: []string{
			"<</Type/Font/Subtype/TrueType/BaseFont/Arial/FirstChar 65/LastChar 67/Widths[700 700 700]/ToUnicode 6 0 R>>",
			pdftest.Stream("", "begincmap 1 begincodespacerange <00><ff> endcodespacerange 3 beginbfchar <41><05D0> <42><0061> <43><05D2> endbfchar endcmap"),
			"<</Type/Font/Subtype/TrueType/BaseFont/Scan/FirstChar 65/LastChar 67/Widths[700 700 700]/ToUnicode 8 0 R>>",
			pdftest.Stream("", "begincmap 1 begincodespacerange <00><ff> endcodespacerange 1 beginbfchar <41><05D3> endbfchar endcmap"),
		},
	})
	require.Len(t, p.Warnings, 1)
	require.Contains(t, p.Warnings[0], "Arial")
	require.Contains(t, p.Warnings[0], "א")
}
