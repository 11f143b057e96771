package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// Bounds of the names of a page's links.
const (
	mostNames   = 2_000   // links that are named
	mostLetters = 200_000 // whose places are asked for; text behind them names no link
	nameBytes   = 200
)

// lettering is the text of a page's lines, letter by letter, from which links are named.
// PDFium itself goes through all characters of a page twice for each name.
type lettering struct {
	d     *document
	text  references.FPDF_TEXTPAGE
	grid  gridPlace
	lines []letteredLine
	asked int // letters
}

// letteredLine is a line with the letters that PDFium has for it.
type letteredLine struct {
	Line
	chars chars
	one   string      // PDFium's text
	boxes []letterBox // one for each character of it; nil until a link comes near
}

// letterBox is where a letter is drawn, or an area, in points of the page.
type letterBox struct{ left, top, right, bottom float32 }

// name is what a link is called: the text under it, in one line.
func (l *lettering) name(area letterBox) string {
	var b strings.Builder
	shown := l.grid.box(float64(area.left), float64(area.top), float64(area.right), float64(area.bottom))
	for i := range l.lines {
		line := &l.lines[i]
		if !line.near(shown) || !l.ask(line) {
			continue
		}
		line.under(area, &b)
		if b.Len() > 4*nameBytes {
			break
		}
	}
	name := oneLine(b.String())
	if len(name) > nameBytes {
		name = strings.ToValidUTF8(name[:nameBytes], "") + "…"
	}
	return name
}

// near tells whether a letter of the line can lie in an area. Not all pieces of a line
// count for its measures, so a letter may be as far outside as the line is high.
func (l *letteredLine) near(area Line) bool {
	far := min(l.Width, l.Height)
	return l.X-far < area.X+area.Width && area.X < l.X+l.Width+far &&
		l.Y-far < area.Y+area.Height && area.Y < l.Y+l.Height+far
}

// under adds those letters of the line that an area touches. What lies apart is a line of
// its own, as in PDFium's text.
func (l *letteredLine) under(area letterBox, b *strings.Builder) {
	apart, i := true, -1
	for _, r := range l.one {
		i++
		switch {
		case unicode.IsSpace(r):
			if !apart {
				b.WriteByte(' ')
			}
		case !l.boxes[i].touches(area):
			apart = true
		default:
			if apart && b.Len() > 0 {
				b.WriteString(lineEnd)
			}
			apart = false
			b.WriteRune(r)
		}
	}
}

func (a letterBox) touches(o letterBox) bool {
	return max(a.left, o.left) < min(a.right, o.right) && max(a.bottom, o.bottom) < min(a.top, o.top)
}

// ask finds where the letters of a line are drawn, once.
func (l *lettering) ask(line *letteredLine) bool {
	if line.boxes != nil {
		return true
	}
	count := utf8.RuneCountInString(line.one)
	if l.asked += count; l.asked > mostLetters {
		return false
	}
	line.boxes = make([]letterBox, count)
	i := -1
	for _, r := range line.one {
		i++
		if unicode.IsSpace(r) {
			continue
		}
		index, ok := l.d.charOf(l.text, line.chars, i)
		if !ok {
			continue
		}
		box, err := l.d.pdfium.FPDFText_GetCharBox(&requests.FPDFText_GetCharBox{TextPage: l.text, Index: index})
		if err != nil {
			continue // it lies nowhere
		}
		line.boxes[i] = letterBox{float32(box.Left), float32(box.Top), float32(box.Right), float32(box.Bottom)}
	}
	return true
}
