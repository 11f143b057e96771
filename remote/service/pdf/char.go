package pdf

import (
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// lineEnd ends the lines of PDFium's text.
const lineEnd = "\r\n"

// chars are the characters of a line. PDFium numbers the characters of a page in two ways:
// the text index counts those of the text, the character index also those that the text
// leaves out.
type chars struct {
	at          int  // text index of the first
	first, last int  // character indexes; last < first if PDFium does not know them
	whole       bool // the text leaves out no character between them
}

// charsOf asks PDFium for the character indexes of a line's ends.
func (d *document) charsOf(text references.FPDF_TEXTPAGE, at, length int) chars {
	first, ok := d.charIndex(text, at)
	last, alsoOK := d.charIndex(text, at+length-1)
	if !ok || !alsoOK {
		return chars{last: -1}
	}
	return chars{at, first, last, last-first == length-1}
}

// charIndex returns the character index of a text index.
func (d *document) charIndex(text references.FPDF_TEXTPAGE, at int) (int, bool) {
	index, err := d.pdfium.FPDFText_GetCharIndexFromTextIndex(&requests.FPDFText_GetCharIndexFromTextIndex{TextPage: text, NTextIndex: at})
	if err != nil {
		return 0, false
	}
	return index.CharIndex, true
}

// charOf returns the character index of the nth character of a line's text.
func (d *document) charOf(text references.FPDF_TEXTPAGE, line chars, n int) (int, bool) {
	if line.whole {
		return line.first + n, true
	}
	return d.charIndex(text, line.at+n)
}
