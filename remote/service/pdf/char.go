package pdf

import (
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// lineEnd is PDFium's.
const lineEnd = "\r\n"

// chars are those of a line. PDFium numbers the characters of a page twice: as they stand
// in its text, and with those that the text leaves out.
type chars struct {
	at          int  // in the text
	first, last int  // with all; last < first where PDFium does not know them
	whole       bool // the text leaves out none between them
}

// charsOf asks PDFium about the ends of a line.
func (d *document) charsOf(text references.FPDF_TEXTPAGE, at, length int) chars {
	first, ok := d.charIndex(text, at)
	last, alsoOK := d.charIndex(text, at+length-1)
	if !ok || !alsoOK {
		return chars{last: -1}
	}
	return chars{at, first, last, last-first == length-1}
}

// charIndex is the number of a character of the text among all.
func (d *document) charIndex(text references.FPDF_TEXTPAGE, at int) (int, bool) {
	index, err := d.pdfium.FPDFText_GetCharIndexFromTextIndex(&requests.FPDFText_GetCharIndexFromTextIndex{TextPage: text, NTextIndex: at})
	if err != nil {
		return 0, false
	}
	return index.CharIndex, true
}

// charOf is the number of the nth character of a line's text among all.
func (d *document) charOf(text references.FPDF_TEXTPAGE, line chars, n int) (int, bool) {
	if line.whole {
		return line.first + n, true
	}
	return d.charIndex(text, line.at+n)
}
