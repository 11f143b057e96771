package pdf

import (
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// Bounds of the work for lines.
const (
	mostLines  = 10_000 // a page with more lines gets none
	mostPieces = 6      // pieces of a line that are measured, besides its last
)

// pageLines returns the lines of a page's text with letters. It returns no lines for a page with too many, or if
// earlier pages had too many.
func (d *document) pageLines(grid gridPlace, text references.FPDF_TEXTPAGE, letters [][]letter) ([]Line, lettering, error) {
	named := lettering{grid: grid}
	if len(letters) > mostLines || d.lines >= d.Limits.Lines {
		return nil, named, nil
	}
	var lines []Line
	for _, one := range letters {
		words := oneLine(runes(one))
		if words == "" {
			continue
		}
		l, err := d.line(grid, text, one)
		if err != nil {
			return nil, named, err
		}
		if l.Text = words; l.Width > 0 && l.Height > 0 {
			if l.Width > l.Height {
				l.Words = wordPlaces(grid, one, strings.Count(words, " ")+1)
			}
			lines = append(lines, l)
			named.lines = append(named.lines, letteredLine{Line: l, letters: one})
		}
	}
	d.lines += len(lines)
	return lines, named, nil
}

// runes returns the text of letters.
func runes(letters []letter) string {
	var b strings.Builder
	for _, l := range letters {
		b.WriteRune(l.r)
	}
	return b.String()
}

// wordPlaces returns where each word of a line begins and ends. It returns nil if a word is not located, or
// if the number of words differs.
func wordPlaces(grid gridPlace, line []letter, words int) []float64 {
	var places []float64
	begin := -1
	for i := range len(line) + 1 {
		switch blank := i == len(line) || unicode.IsSpace(line[i].r); {
		case !blank && begin < 0:
			begin = i
		case blank && begin >= 0:
			first, last := line[begin], line[i-1]
			if !first.located() || !last.located() || len(places) == 2*words {
				return nil
			}
			from, to := grid.shown(first.box), grid.shown(last.box)
			if to.X+to.Width <= from.X {
				return nil
			}
			places = append(places, from.X, to.X+to.Width)
			begin = -1
		}
	}
	if len(places) != 2*words {
		return nil
	}
	return places
}

// line computes the position of a line from pieces of it, each in one font: the first, the
// last, and some between them, because a bullet or a full stop may be lower than the line.
func (d *document) line(grid gridPlace, text references.FPDF_TEXTPAGE, letters []letter) (l Line, err error) {
	first, last := -1, -1
	for _, one := range letters {
		if one.index >= 0 {
			last = one.index
			if first < 0 {
				first = last
			}
		}
	}
	if first < 0 || last < first {
		return l, nil
	}
	count, err := d.pdfium.FPDFText_CountRects(&requests.FPDFText_CountRects{TextPage: text, StartIndex: first, Count: last - first + 1})
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
