package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// Line is a line of a page's text. Its corner and size are fractions of the page as it
// is shown, from the top left.
type Line struct {
	X, Y, Width, Height float64
	Text                string
	Words               []float64 // where each word of Text begins and ends, from the left; nil where that is not known
}

// What lines cost at the most.
const (
	mostLines  = 10_000 // a page with more has none
	mostWords  = 5_000  // of a page whose places are asked for; PDFium is asked twice for each
	mostPieces = 6      // of a line, and its last
)

// pageLines returns the lines of a page's text, which is all of it as pageText
// returns it, and their letters; none for a page with too many, nor after too many.
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
	at, asked := 0, 0 // characters before the line, words whose places were asked for
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

// wordPlaces finds where the so many words of a line lie, one being PDFium's text of it; nil
// where PDFium does not know one of them, or has more.
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

// charPlace is where the nth character of a line's text lies.
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

// lineEnd is PDFium's.
const lineEnd = "\r\n"

// line finds where a line lies, from its pieces, each in one font: the first, the last,
// and some between them, as a bullet and a full stop are no measure of its height.
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

// piece is one of those that PDFium counted last.
func (d *document) piece(grid gridPlace, text references.FPDF_TEXTPAGE, number int) (Line, error) {
	r, err := d.pdfium.FPDFText_GetRect(&requests.FPDFText_GetRect{TextPage: text, Index: number})
	if err != nil {
		return Line{}, err
	}
	return grid.box(r.Left, r.Top, r.Right, r.Bottom), nil
}

// with is the area that has both.
func (l Line) with(o Line) Line {
	x, y := min(l.X, o.X), min(l.Y, o.Y)
	return Line{X: x, Y: y, Width: max(l.X+l.Width, o.X+o.Width) - x, Height: max(l.Y+l.Height, o.Y+o.Height) - y}
}

// oneLine is PDFium's text in one line.
func oneLine(s string) string { return strings.Join(strings.Fields(cleanText(s)), " ") }

// gridPlace tells where a point of a page is shown.
type gridPlace struct{ x, xx, xy, y, yx, yy float64 }

// gridOf asks PDFium about three points, from which all others follow.
func (d *document) gridOf(page requests.Page) (g gridPlace, err error) {
	const far = 1000 // points
	at := func(x, y float64) (float64, float64) {
		to, failed := d.pdfium.FPDF_PageToDevice(&requests.FPDF_PageToDevice{Page: page, SizeX: grid, SizeY: grid, PageX: x, PageY: y})
		if failed != nil {
			err = failed
			return 0, 0
		}
		return float64(to.DeviceX) / grid, float64(to.DeviceY) / grid
	}
	g.x, g.y = at(0, 0)
	g.xx, g.yx = at(far, 0)
	g.xy, g.yy = at(0, far)
	g.xx, g.yx, g.xy, g.yy = (g.xx-g.x)/far, (g.yx-g.y)/far, (g.xy-g.x)/far, (g.yy-g.y)/far
	return g, err
}

// box is where an area is shown, cut where the page ends.
func (g gridPlace) box(left, top, right, bottom float64) Line {
	at := func(x, y float64) (float64, float64) {
		return part(g.x + g.xx*x + g.xy*y), part(g.y + g.yx*x + g.yy*y)
	}
	x1, y1 := at(left, top)
	x2, y2 := at(right, bottom)
	return Line{X: min(x1, x2), Y: min(y1, y2), Width: max(x1, x2) - min(x1, x2), Height: max(y1, y2) - min(y1, y2)}
}

// part holds a fraction to 0 and 1; what is no number is 0.
func part(f float64) float64 {
	if !(f > 0) {
		return 0
	}
	return min(f, 1)
}
