package pdf

import (
	"strings"
	"unicode"
)

// Bounds of the names of a page's links.
const (
	mostNames = 2_000 // links that get names
	nameBytes = 200   // of a name
)

// lettering has the letters of a page's lines with their positions. It finds the names of
// links: for each name, PDFium itself would go through all characters of the page twice.
type lettering struct {
	grid  gridPlace
	lines []letteredLine
}

// letteredLine is a line with its letters.
type letteredLine struct {
	Line
	letters []letter
}

// named returns links with their names.
func (l lettering) named(links []placedLink) (all []Link) {
	for i, link := range links {
		if i < mostNames {
			link.Name = l.name(link.area)
		}
		all = append(all, link.Link)
	}
	return all
}

// name returns the name of a link: the text under its area, in one line.
func (l lettering) name(area letterBox) string {
	var b strings.Builder
	shown := l.grid.shown(area)
	for i := range l.lines {
		line := &l.lines[i]
		if !line.near(shown) {
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
	apart := true
	for _, one := range l.letters {
		switch {
		case unicode.IsSpace(one.r):
			if !apart {
				b.WriteByte(' ')
			}
		case !one.box.touches(area):
			apart = true
		default:
			if apart && b.Len() > 0 {
				b.WriteString(lineEnd)
			}
			apart = false
			b.WriteRune(one.r)
		}
	}
}

// touches reports whether a letter is in an area. The upper and lower quarters of its box, where other lines
// may reach, do not count.
func (a letterBox) touches(o letterBox) bool {
	quarter := (a.top - a.bottom) / 4
	return max(a.left, o.left) < min(a.right, o.right) && max(a.bottom+quarter, o.bottom) < min(a.top-quarter, o.top)
}
