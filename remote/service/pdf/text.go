package pdf

import (
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"golang.org/x/text/unicode/norm"

	"paperfs/remote/xmlscan"
)

// pageText returns PDFium's text of a page, in one call. go-pdfium's GetPageText
// would call PDFium for each character.
func (d *document) pageText(text references.FPDF_TEXTPAGE) (string, error) {
	chars, err := d.pdfium.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text})
	if err != nil || chars.Count == 0 {
		return "", err
	}
	// Count is doubled for characters that need two units of UTF-16. PDFium returns no more than there are.
	all, err := d.pdfium.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: text, StartIndex: 0, Count: 2 * chars.Count})
	if err != nil {
		return "", err
	}
	return all.Text, nil
}

// closeText releases what FPDFText_LoadPage loaded.
func (d *document) closeText(text references.FPDF_TEXTPAGE) {
	_, _ = d.pdfium.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text})
}

// textOf returns the text of a page's lines.
func textOf(lines [][]letter) string {
	all := make([]string, len(lines))
	for i, line := range lines {
		all[i] = runes(line)
	}
	return cleanText(strings.Join(all, lineEnd))
}

// PDFium's characters for a hyphen that divides a word at the end of a line. After the other one, it has no
// line end.
const (
	hyphenated  = "\x02"
	hyphenRune  = '\x02'
	otherHyphen = '\ufffe'
)

// cleanText joins hyphenated words, makes all line ends \n, joins letters and their accents (NFC), and removes
// characters that XML cannot carry.
func cleanText(s string) string {
	s = strings.NewReplacer(hyphenated+"\r\n", "", hyphenated, "", "\r\n", "\n", "\r", "\n").Replace(s)
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), !xmlscan.CarriesRune(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.TrimSpace(norm.NFC.String(s))
}

// oneLine cleans a text and joins its lines.
func oneLine(s string) string { return strings.Join(strings.Fields(cleanText(s)), " ") }
