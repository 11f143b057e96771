package view

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// articles writes the pages of a paper. It is code because they are nearly the whole output
// and a template takes three times as long.
type articles struct {
	markup
	of    *Paper
	words Words

	open   bool    // the last page waits for its other half
	sized  Picture // the last picture whose widths were computed
	paired bool    // so for a half of a spread
	widths string  // Page.Widths of such pictures
}

// write writes all pages, one at a time.
func (a *articles) write(w io.Writer) error {
	var last *Page // it is written when the next one shows whether it stands beside it
	for p := range a.of.Pages {
		if last != nil {
			a.page(last, &p)
		}
		if err := a.flush(w); err != nil {
			return err
		}
		last = &p
	}
	if last != nil {
		a.page(last, nil)
	} else {
		a.add("\n<p class=\"part\" lang=\"", a.words.Tag, "\">")
		a.text(a.words.Empty)
		a.add("</p>")
	}
	return a.flush(w)
}

func (a *articles) flush(w io.Writer) error {
	_, err := w.Write(a.markup)
	a.markup = a.markup[:0]
	return err
}

func (a *articles) page(p, next *Page) {
	a.add("\n<article id=\"p")
	a.number(p.Number)
	half, pictured := a.side(p, next), p.Normal.Address != ""
	side := half
	if a.of.Layout != Spread {
		side = Alone
	}
	place := string(side)
	if !pictured {
		place += " plain"
	}
	if p.Wide() {
		place += " wide"
	}
	if pictured && a.of.Sharp > a.of.First && a.of.Far(*p) {
		place += " far"
	}
	if place = strings.TrimLeft(place, " "); place != "" {
		a.add(`" class="`, place)
	}
	if side != half { // the reader may choose spreads
		a.add(`" data-side="`, string(half))
	}
	a.add(`" aria-label="`)
	a.text(fmt.Sprintf(a.words.PageOf, p.Number, a.of.Total))
	a.add(`">`)
	if pictured {
		a.sheet(p, side)
		a.add("\n<div class=\"words\">")
	} else {
		a.add("\n<div class=\"words\" tabindex=\"0\">") // it scrolls
	}
	a.add(`<h2 lang="`, a.words.Tag, `">`)
	a.text(fmt.Sprintf(a.words.Page, p.Number))
	a.add("</h2>\n")
	a.said(p)
	if len(p.Items) > 0 {
		a.add("\n<h3 lang=\"", a.words.Tag, `">`)
		a.text(a.words.Products)
		a.add("</h3>")
		for i := range p.Items {
			a.item(p, &p.Items[i])
		}
	}
	a.add("</div>\n</article>")
}

// side returns where a page stands in a spread. A cover, a wide page and the last one of an odd number are alone. In a
// book that is read from the right, the first page of a spread is the right one.
func (a *articles) side(p, next *Page) Side {
	second := a.open
	a.open = !second && p.Number > 1 && next != nil && !p.Wide() && !next.Wide()
	switch {
	case !second && !a.open:
		return Alone
	case second == a.of.RightToLeft():
		return Left
	}
	return Right
}

// sheet writes a page's picture, and the hotspots over it.
func (a *articles) sheet(p *Page, side Side) {
	a.add("\n<div class=\"sheet\" data-ratio=\"")
	a.markup = strconv.AppendFloat(a.markup, float64(max(p.Normal.Width, 1))/float64(max(p.Normal.Height, 1)), 'f', 4, 64)
	a.add("\">")
	a.picture(p, side != Alone)
	if !a.of.Text {
		a.add("\n<svg viewBox=\"0 0 ")
		a.number(p.Normal.Width)
		a.add(" ")
		a.number(p.Normal.Height)
		a.add(`" preserveAspectRatio="`, side.Aligned(), ` meet">`)
		for i := range p.Spots {
			a.spot(p, &p.Spots[i])
		}
		a.add("\n</svg>")
	}
	a.add("</div>")
	if !a.of.Text {
		a.large(p)
	}
}

// large writes a link to the largest picture of a page, or to the address where the pictures around it
// are large. It is for readers without scripts, including those whose scripts are blocked while the browser
// reports scripting as enabled: they get only the small picture.
func (a *articles) large(p *Page) {
	at := p.Normal.Address
	switch {
	case a.of.Far(*p):
		at = a.of.Around(*p)
	case p.Zoom.Address != "":
		at = p.Zoom.Address
	}
	a.add("\n<a class=\"button large\" href=\"")
	a.text(at)
	a.add(`" lang="`, a.words.Tag, `">`)
	a.text(a.words.ZoomIn)
	a.add(`</a>`)
}

// unseen begins the attribute sizes of a page that is not visible at first. Browsers load such pictures
// early. With scripts, unseen makes them load the small one until the reader turns to the page (reader.js).
// far does the same, and also without scripts.
const (
	unseen = "(scripting:enabled) 9px,"
	far    = "(width) 9px,"
)

func (a *articles) picture(p *Page, paired bool) {
	a.add(`<img src="`)
	a.text(p.Normal.Address)
	a.add(`" srcset="`)
	later := ""
	if p.Thumb != "" && !a.of.Eager(*p) {
		if later = unseen; a.of.Far(*p) {
			later = far
		}
		a.choice(Picture{Address: p.Thumb, Width: max(1, p.Normal.Width/4)})
		a.add(", ")
	}
	a.choice(p.Normal)
	if p.Zoom.Address != "" {
		a.add(", ")
		a.choice(p.Zoom)
	}
	if a.sized.Width != p.Normal.Width || a.sized.Height != p.Normal.Height || a.paired != paired {
		a.sized, a.paired, a.widths = p.Normal, paired, p.Widths(paired, a.of.around())
	}
	a.add(`" sizes="`, later, a.widths, `" width="`)
	a.number(p.Normal.Width)
	a.add(`" height="`)
	a.number(p.Normal.Height)
	if a.of.Eager(*p) {
		a.add(`" alt="" fetchpriority="high" data-thumb="`)
	} else {
		a.add(`" alt="" loading="lazy" data-thumb="`)
	}
	a.text(p.Thumb)
	a.add(`">`)
}

func (a *articles) choice(p Picture) {
	a.text(p.Address)
	a.add(" ")
	a.number(p.Width)
	a.add("w")
}

func (a *articles) spot(p *Page, s *Spot) {
	a.add("\n<a href=\"")
	a.address(string(s.Href))
	a.add(`" aria-label="`)
	name := s.Label(a.words)
	a.text(name)
	a.add(`"`)
	if s.NewTab {
		a.add(` target="_blank" rel="noopener"`)
	}
	if s.Item {
		a.add(` data-item`)
	}
	a.add(`><title>`)
	a.text(name)
	a.add(`</title>`)
	a.shape(p, s)
	if s.Item {
		a.badge(p, s)
	}
	a.add(`</a>`)
}

// badge marks a product in the upper right corner of its spot, without covering it.
func (a *articles) badge(p *Page, s *Spot) {
	w, h := float64(p.Normal.Width), float64(p.Normal.Height)
	right, top := s.X+s.Width, s.Y
	for i, at := range s.Polygon {
		if i == 0 || at.X-at.Y > right-top {
			right, top = at.X, at.Y
		}
	}
	size := min(w, h) / 17
	a.add(`<use href="#badge" x="`)
	a.pixels(max(0, right*w-size*1.2))
	a.add(`" y="`)
	a.pixels(top*h + size*.2)
	a.add(`" width="`)
	a.pixels(size)
	a.add(`" height="`)
	a.pixels(size)
	a.add(`"/>`)
}

// shape writes the element for a spot's area, in the picture's pixels.
func (a *articles) shape(p *Page, s *Spot) {
	w, h := float64(p.Normal.Width), float64(p.Normal.Height)
	if len(s.Polygon) == 0 {
		a.add(`<rect x="`)
		a.pixels(s.X * w)
		a.add(`" y="`)
		a.pixels(s.Y * h)
		a.add(`" width="`)
		a.pixels(s.Width * w)
		a.add(`" height="`)
		a.pixels(s.Height * h)
		a.add(`"/>`)
		return
	}
	a.add(`<polygon points="`)
	for i, at := range s.Polygon {
		if i > 0 {
			a.add(" ")
		}
		a.pixels(at.X * w)
		a.add(",")
		a.pixels(at.Y * h)
	}
	a.add(`"/>`)
}

// pixels writes a number rounded to a tenth of a pixel.
func (a *articles) pixels(f float64) {
	a.markup = strconv.AppendFloat(a.markup, float64(int64(f*10+0.5))/10, 'f', -1, 64)
}

// said writes the text of a page, or why it is missing.
func (a *articles) said(p *Page) {
	switch tag := a.words.Tag; {
	case p.Text != "":
		a.add(`<p dir="auto">`)
		a.text(p.Text)
	case p.TextLater:
		a.add(`<p lang="`, tag, `" class="later"><a tabindex="-1" href="./`)
		a.text(a.of.And("View=text&Page=" + strconv.Itoa(p.Number)))
		a.add(`">`)
		a.text(a.words.Text)
		a.add(`</a>`)
	case p.TextElsewhere:
		a.add(`<p class="elsewhere" lang="`, tag, `">`)
		a.text(a.words.Elsewhere)
	default:
		a.add(`<p lang="`, tag, `">`)
		a.text(a.words.NoText)
	}
	a.add(`</p>`)
}

// item writes a product, with a form that orders it without scripts.
func (a *articles) item(p *Page, i *Item) {
	a.add("\n<section class=\"item\" id=\"p")
	a.number(p.Number)
	a.add("i")
	a.number(i.Number)
	a.add(`"><h4 dir="auto">`)
	a.text(i.Name)
	a.add(`</h4>`)
	if i.Price != "" {
		a.add(`<p class="price" dir="auto">`)
		a.text(a.of.Cost(*i, a.words))
		a.add(`</p>`)
	}
	if i.Description != "" {
		a.paragraph(i.Description)
	}
	if a.of.Shop != nil && i.ID != "" {
		a.order(i)
	}
	a.add(`</section>`)
}

func (a *articles) paragraph(text string) {
	a.add(`<p dir="auto">`)
	a.text(text)
	a.add(`</p>`)
}

func (a *articles) order(i *Item) {
	a.add("\n<form method=\"post\" action=\"Order.ashx")
	a.text(a.of.Query)
	a.add(`" lang="`, a.words.Tag, `"><input type="hidden" name="productId" value="`)
	a.text(i.ID)
	a.add(`"><input type="hidden" name="price" value="`)
	a.text(i.Price)
	a.add(`"><label>`)
	a.text(a.words.Amount)
	a.add(` <input type="number" name="amount" min="1" max="9999" value="1" required></label> <button name="language" value="`, a.words.Tag, `">`)
	a.text(a.words.Order)
	a.add(`</button></form>`)
}
