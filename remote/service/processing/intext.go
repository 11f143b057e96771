package processing

import (
	"cmp"
	"unicode/utf8"

	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

// inText makes links to the products whose Ids are whole words in the lines of a page. It
// skips lines that one of the page's links to a product covers. A link covers its line
// from its Id to the next one.
func (e *enrichment) inText(page store.Link, lines []pdf.Line, links []store.Link) (found []store.Link) {
	if len(e.table) == 0 {
		return nil
	}
	if e.ids == nil {
		e.ids = indexOf(e.table)
	}
	for _, line := range lines {
		first := len(found)
		before := measure{text: line.Text}
		for at, p := range e.ids.in(line.Text) {
			if len(found) == first && covered(line, links) || !e.hasRoom(page.Page, p) {
				break
			}
			l := page
			l.X, l.Y, l.Width, l.Height = line.X, line.Y, line.Width, line.Height
			if len(found) > first { // the line is divided
				last := &found[len(found)-1]
				end := line.X + line.Width
				l.X = line.X + line.Width*before.part(at)
				last.Width, l.Width = l.X-last.X, end-l.X
			}
			l.AltText = cmp.Or(p.Label(), p.ID)
			found = append(found, e.shopItem(l, p))
		}
	}
	return found
}

// measure returns how far into a text a byte is, in characters. Its caller asks from left
// to right, so that it counts each character only once.
type measure struct {
	text           string
	at, runes, all int // all is 0 before the first call
}

func (m *measure) part(at int) float64 {
	if m.all == 0 {
		m.all = utf8.RuneCountInString(m.text)
	}
	m.runes += utf8.RuneCountInString(m.text[m.at:at])
	m.at = at
	return float64(m.runes) / float64(m.all)
}

// covered reports whether the middle of a line lies in a link to a product.
func covered(line pdf.Line, links []store.Link) bool {
	x, y := line.X+line.Width/2, line.Y+line.Height/2
	for _, l := range links {
		if l.LinkType == "shopitem" && x >= l.X && x <= l.X+l.Width && y >= l.Y && y <= l.Y+l.Height {
			return true
		}
	}
	return false
}
