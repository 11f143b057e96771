package pdf

import (
	"fmt"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"paperfs/remote/service/pdf/fonts"
)

// undrawn returns warnings of letters that are not drawn, because neither the PDF nor package fonts has them:
// one for each font.
func (d *document) undrawn(text references.FPDF_TEXTPAGE, lines [][]letter) (warnings []string) {
	asked, named := map[rune]bool{}, map[string]bool{}
	for _, line := range lines {
		for _, l := range line {
			if fonts.Has(l.r) || !l.located() || asked[l.r] {
				continue
			}
			asked[l.r] = true
			if font, missing := d.fontMissing(text, l.index); missing && !named[font] {
				named[font] = true
				warnings = append(warnings, fmt.Sprintf("letters in the font %s, such as “%c”, are not drawn, because the font is not embedded in the PDF", font, l.r))
			}
		}
	}
	return warnings
}

// fontMissing returns the font of a visible character, and whether it is not in the PDF. Text of scans is invisible.
func (d *document) fontMissing(text references.FPDF_TEXTPAGE, index int) (name string, missing bool) {
	o := got(d.pdfium.FPDFText_GetTextObject(&requests.FPDFText_GetTextObject{TextPage: text, Index: index})).TextObject
	mode := got(d.pdfium.FPDFTextObj_GetTextRenderMode(&requests.FPDFTextObj_GetTextRenderMode{PageObject: o})).TextRenderMode
	font := got(d.pdfium.FPDFTextObj_GetFont(&requests.FPDFTextObj_GetFont{PageObject: o})).Font
	embedded, err := d.pdfium.FPDFFont_GetIsEmbedded(&requests.FPDFFont_GetIsEmbedded{Font: font})
	base := got(d.pdfium.FPDFFont_GetBaseFontName(&requests.FPDFFont_GetBaseFontName{Font: font})).BaseFontName
	return oneLine(base), err == nil && !embedded.IsEmbedded && mode != enums.FPDF_TEXTRENDERMODE_INVISIBLE
}
