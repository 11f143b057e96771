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
	mostNames   = 2_000   // links that get names
	mostLetters = 200_000 // letters that are located; text after them names no link
	nameBytes   = 200     // of a name
)

// lettering has the letters of a page's lines with their positions. It finds the names of
// links: for each name, PDFium itself would go through all characters of the page twice.
type lettering struct {
	d     *document
	text  references.FPDF_TEXTPAGE
	grid  gridPlace
	lines []letteredLine
	asked int // located letters
}

// letteredLine is a line with its letters.
type letteredLine struct {
	Line
	chars chars
	one   string      // PDFium's text of the line
	boxes []letterBox // one for each character of one; nil until a link is near
}

// letterBox is the box of a letter or another area, in points of the page.
type letterBox struct{ left, top, right, bottom float32 }

// named returns links with their names.
func (l *lettering) named(links []placedLink) (all []Link) {
	for i, link := range links {
		if i < mostNames {
			link.Name = l.name(link.area)
		}
		all = append(all, link.Link)
	}
	return all
}

// name returns the name of a link: the text under its area, in one line.
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

// near reports whether a letter of the line can be in an area. The line's box is computed
// from some pieces only, so a letter may be outside of it by up to the line's height.
func (l *letteredLine) near(area Line) bool {
	far := min(l.Width, l.Height)
	return l.X-far < area.X+area.Width && area.X < l.X+l.Width+far &&
		l.Y-far < area.Y+area.Height && area.Y < l.Y+l.Height+far
}

// under adds the letters of the line that an area touches. Separated runs of letters go on
// lines of their own, as in PDFium's text.
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

// ask locates the letters of a line, once. It returns false if the page has too many.
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
			continue // the letter has no position
		}
		line.boxes[i] = letterBox{float32(box.Left), float32(box.Top), float32(box.Right), float32(box.Bottom)}
	}
	return true
}
