package pdf

import (
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"paperfs/remote/xmlscan"
)

// pageText returns a page's text as PDFium has it. It takes it in one call:
// GetPageText calls PDFium for each character.
func (d *document) pageText(text references.FPDF_TEXTPAGE) (string, error) {
	chars, err := d.pdfium.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text})
	if err != nil || chars.Count == 0 {
		return "", err
	}
	// PDFium takes no more characters than there are; the room is for those that need two units of UTF-16.
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

// hyphenated is what PDFium returns for a hyphen at the end of a line whose word
// goes on in the next.
const hyphenated = "\x02"

// cleanText joins what was hyphenated, makes line ends of one kind, and leaves
// out what XML cannot carry.
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
	return strings.TrimSpace(s)
}

// oneLine is PDFium's text in one line.
func oneLine(s string) string { return strings.Join(strings.Fields(cleanText(s)), " ") }
