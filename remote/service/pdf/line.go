package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// Bounds of the work for lines.
const (
	mostLines  = 10_000 // a page with more lines gets none
	mostWords  = 5_000  // words of a page that are located, with up to two calls of PDFium each
	mostPieces = 6      // pieces of a line that are measured, besides its last
)

// pageLines returns the lines of a page's text, and their letters. all is the text as pageText
// returns it. It returns no lines for a page with too many, or if earlier pages had too many.
func (d *document) pageLines(page requests.Page, text references.FPDF_TEXTPAGE, all string) ([]Line, *lettering, error) {
	ends := strings.Split(all, lineEnd)
	if all == "" || len(ends) > mostLines || d.lines >= d.limits.Lines {
		return nil, &lettering{}, nil
	}
	grid, err := d.gridOf(page)
	if err != nil {
		return nil, nil, err
	}
	var lines []Line
	letters := &lettering{d: d, text: text, grid: grid}
	at, asked := 0, 0 // characters before the line, located words
	for _, one := range ends {
		length := utf8.RuneCountInString(one)
		words := oneLine(one)
		if words != "" {
			chars := d.charsOf(text, at, length)
			l, err := d.line(grid, text, chars)
			if err != nil {
				return nil, nil, err
			}
			if l.Text = words; l.Width > 0 && l.Height > 0 {
				if n := strings.Count(words, " ") + 1; l.Width > l.Height && asked+n <= mostWords {
					l.Words = d.wordPlaces(grid, text, chars, one, n)
					asked += n
				}
				lines = append(lines, l)
				letters.lines = append(letters.lines, letteredLine{Line: l, chars: chars, one: one})
			}
		}
		at += length + len(lineEnd)
	}
	d.lines += len(lines)
	return lines, letters, nil
}

// wordPlaces returns where each word of a line begins and ends. one is PDFium's text of the
// line. It returns nil if PDFium cannot locate a word, or if the number of words differs.
func (d *document) wordPlaces(grid gridPlace, text references.FPDF_TEXTPAGE, line chars, one string, words int) []float64 {
	var places []float64
	begin, n := -1, 0
	for _, r := range one + " " {
		switch blank := unicode.IsSpace(r); {
		case !blank && begin < 0:
			begin = n
		case blank && begin >= 0:
			first, ok := d.charPlace(grid, text, line, begin)
			last, alsoOK := first, ok
			if n-1 > begin {
				last, alsoOK = d.charPlace(grid, text, line, n-1)
			}
			if !ok || !alsoOK || len(places) == 2*words || last.X+last.Width <= first.X {
				return nil
			}
			places = append(places, first.X, last.X+last.Width)
			begin = -1
		}
		n++
	}
	if len(places) != 2*words {
		return nil
	}
	return places
}

// charPlace returns the position of the nth character of a line's text.
func (d *document) charPlace(grid gridPlace, text references.FPDF_TEXTPAGE, line chars, n int) (Line, bool) {
	index, ok := d.charOf(text, line, n)
	if !ok {
		return Line{}, false
	}
	box, err := d.pdfium.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: text, Index: index})
	if err != nil {
		return Line{}, false
	}
	return grid.box(float64(box.Rect.Left), float64(box.Rect.Top), float64(box.Rect.Right), float64(box.Rect.Bottom)), true
}

// line computes the position of a line from pieces of it, each in one font: the first, the
// last, and some between them, because a bullet or a full stop may be lower than the line.
func (d *document) line(grid gridPlace, text references.FPDF_TEXTPAGE, chars chars) (l Line, err error) {
	if chars.last < chars.first {
		return l, nil
	}
	count, err := d.pdfium.FPDFText_CountRects(&requests.FPDFText_CountRects{TextPage: text, StartIndex: chars.first, Count: chars.last - chars.first + 1})
	if err != nil || count.Count < 1 {
		return l, err
	}
	if l, err = d.piece(grid, text, count.Count-1); err != nil {
		return l, err
	}
	step := 1 + (count.Count-1)/mostPieces
	for i := 0; i < count.Count-1; i += step {
		p, err := d.piece(grid, text, i)
		if err != nil {
			return l, err
		}
		l = l.with(p)
	}
	return l, nil
}

// piece returns a piece from the last call of FPDFText_CountRects.
func (d *document) piece(grid gridPlace, text references.FPDF_TEXTPAGE, number int) (Line, error) {
	r, err := d.pdfium.FPDFText_GetRect(&requests.FPDFText_GetRect{TextPage: text, Index: number})
	if err != nil {
		return Line{}, err
	}
	return grid.box(r.Left, r.Top, r.Right, r.Bottom), nil
}

// with returns the smallest area that contains both lines.
func (l Line) with(o Line) Line {
	x, y := min(l.X, o.X), min(l.Y, o.Y)
	return Line{X: x, Y: y, Width: max(l.X+l.Width, o.X+o.Width) - x, Height: max(l.Y+l.Height, o.Y+o.Height) - y}
}
