package view

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"paperfs/remote/service/reader/prose"
)

// articles writes the pages of a paper, which are nearly the whole output.
type articles struct {
	*document
	of *Paper

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
		a.Line(`<p class="part" lang="{}">{}</p>`, a.Tag, a.Empty)
	}
	return a.flush(w)
}

func (a *articles) page(p, next *Page) {
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
	if p.Long() {
		place += " long"
	}
	if pictured && a.of.Sharp > a.of.First && a.of.Far(*p) {
		place += " far"
	}
	a.Line(`<article id="p{}"`, p.Number)
	if place = strings.TrimLeft(place, " "); place != "" {
		a.Add(` class="{}"`, place)
	}
	if side != half { // the reader may choose spreads
		a.Add(` data-side="{}"`, string(half))
	}
	if p.Long() {
		a.Add(` tabindex="0"`)
	}
	name := fmt.Sprintf(a.PageOf, p.Number, a.of.Total)
	if len(a.of.Labels) > 0 {
		name = fmt.Sprintf("%s (%d/%d)", a.of.named(a.Words, p.Number), p.Number, a.of.Total)
	}
	a.Add(` aria-label="{}"{}>`, name, with(` data-label="{}"`, a.of.label(p.Number)))
	if pictured {
		a.sheet(p, side)
		a.Line(`<div class="words">`)
	} else {
		a.Line(`<div class="words" tabindex="0">`) // it scrolls
	}
	a.Add(`<h2 lang="{}">{}</h2>
`, a.Tag, a.of.named(a.Words, p.Number))
	a.said(p)
	if len(p.Items) > 0 {
		a.Line(`<h3 lang="{}">{}</h3>`, a.Tag, a.Products)
		for i := range p.Items {
			a.item(p, &p.Items[i])
		}
	}
	a.add("</div>\n</article>")
}

// side returns where a page stands in a spread. A cover, a wide or long page and the last one of an odd number are alone. In a
// book that is read from the right, the first page of a spread is the right one.
func (a *articles) side(p, next *Page) Side {
	second := a.open
	a.open = !second && (p.Number > 1 || a.of.Paired) && next != nil && !p.single() && !next.single()
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
	a.Line(`<div class="sheet" data-ratio="{}">`, fmt.Sprintf("%.4f", p.Normal.Ratio()))
	a.picture(p, side != Alone)
	if !a.of.Text {
		a.Line(`<svg viewBox="0 0 {} {}" preserveAspectRatio="{} meet">`, p.Normal.Width, p.Normal.Height, side.Aligned())
		for i := range p.Spots {
			a.spot(p, &p.Spots[i])
		}
		a.Line(`</svg>`)
	}
	a.add(`</div>`)
	if !a.of.Text {
		a.large(p)
	}
}

// large writes links to the pages beside, and one to the largest picture of a page, or to the address where the pictures
// around it are large. It is for readers without scripts, including those whose scripts are blocked while the browser
// reports scripting as enabled: they get only the small picture.
func (a *articles) large(p *Page) {
	at := p.Normal.Address
	switch {
	case a.of.Far(*p):
		at = a.of.Around(*p)
	case p.Zoom.Address != "":
		at = p.Zoom.Address
	}
	a.Line(`<p class="hand" lang="{}">`, a.Tag)
	if p.Number > a.of.First {
		a.Add(`<a class="button" href="#p{}" aria-label="{}">‹</a>`, p.Number-1, a.Previous)
	}
	a.Add(`<a class="button large" href="{}">{}</a>`, at, a.ZoomIn)
	if p.Number < a.of.Last() {
		a.Add(`<a class="button" href="#p{}" aria-label="{}">›</a>`, p.Number+1, a.Next)
	}
	a.add(`</p>`)
}

// unseen begins the attribute sizes of a page that is not visible at first. Browsers load such pictures
// early. With scripts, unseen makes them load the small one until the reader turns to the page (reader.js).
// far does the same, and also without scripts.
const (
	unseen = "(scripting:enabled) 9px,"
	far    = "(width) 9px,"
)

func (a *articles) picture(p *Page, paired bool) {
	later := ""
	var small, large HTML
	if p.Thumb != "" && !a.of.Eager(*p) {
		if later = unseen; a.of.Far(*p) {
			later = far
		}
		small = Form(`{} {}w, `, p.Thumb, max(1, p.Normal.Width/4))
	}
	if p.Zoom.Address != "" {
		large = Form(`, {} {}w`, p.Zoom.Address, p.Zoom.Width)
	}
	if a.sized.Width != p.Normal.Width || a.sized.Height != p.Normal.Height || a.paired != paired {
		a.sized, a.paired, a.widths = p.Normal, paired, p.Widths(paired, a.of.around())
	}
	seen := HTML(`loading="lazy"`)
	if a.of.Eager(*p) {
		seen = `fetchpriority="high"`
	}
	a.Add(`<img src="{}" srcset="{}{} {}w{}" sizes="{}{}" width="{}" height="{}" alt="" {} data-thumb="{}">`,
		p.Normal.Address, small, p.Normal.Address, p.Normal.Width, large, later, a.widths, p.Normal.Width, p.Normal.Height, seen, p.Thumb)
}

func (a *articles) spot(p *Page, s *Spot) {
	name := a.of.spotName(a.Words, s)
	a.Line(`<a href="{}" aria-label="{}"{}{}`, s.Href, name, when(s.NewTab, ` target="_blank" rel="noopener"`), when(s.Item, ` data-item`))
	if s.Medium != "" {
		a.Add(` data-medium="{}" data-most="{}"`, s.Medium, s.Most)
	}
	a.Add(`><title>{}</title>`, name)
	a.shape(p, s)
	if s.Item {
		a.badge(p, s, "badge")
	} else if s.Medium != "" {
		a.badge(p, s, with("{}", s.Medium))
	}
	a.add(`</a>`)
}

// badge marks a product or medium in the upper right corner of its spot, without covering it.
func (a *articles) badge(p *Page, s *Spot, symbol HTML) {
	w, h := float64(p.Normal.Width), float64(p.Normal.Height)
	right, top := s.X+s.Width, s.Y
	for i, at := range s.Polygon {
		if i == 0 || at.X-at.Y > right-top {
			right, top = at.X, at.Y
		}
	}
	size := min(w, h) / 17
	a.add(`<use href="#`, symbol, `" x="`)
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
	a.Markup = strconv.AppendFloat(a.Markup, float64(int64(f*10+0.5))/10, 'f', -1, 64)
}

// said writes the text of a page, or why it is missing.
func (a *articles) said(p *Page) {
	switch {
	case len(p.Text) > 0:
		a.Line(`<div class="said">`)
		a.blocks(p.Text)
		a.Line(`</div>`)
	case p.TextLater:
		a.Add(`<p lang="{}" class="later"><a tabindex="-1" href="./{}">{}</a></p>`, a.Tag, a.of.And("View=text&Page="+strconv.Itoa(p.Number)), a.Words.Text)
	case p.TextElsewhere:
		a.Add(`<p class="elsewhere" lang="{}">{}</p>`, a.Tag, a.Elsewhere)
	default:
		a.Add(`<p lang="{}">{}</p>`, a.Tag, a.NoText)
	}
}

// blocks writes the text of a page.
func (a *articles) blocks(all []prose.Block) {
	for i, b := range all {
		switch {
		case b.Kind == prose.Heading:
			a.Line(`<h3 dir="auto">{}</h3>`, b.Text)
		case b.Kind == prose.Subheading:
			a.Line(`<h4 dir="auto">{}</h4>`, b.Text)
		case b.Kind == prose.Item:
			a.Line(`{}<li dir="auto">{}</li>{}`, when(i == 0 || all[i-1].Kind != prose.Item, "<ul>"), b.Text, when(i+1 == len(all) || all[i+1].Kind != prose.Item, "</ul>"))
		default:
			a.add("\n")
			a.paragraph(b.Text)
		}
	}
}

// item writes a product, with a form that orders it without scripts.
func (a *articles) item(p *Page, i *Item) {
	a.Line(`<section class="item" id="p{}i{}"><h4 dir="auto">{}</h4>`, p.Number, i.Number, i.Name)
	if i.Price != "" {
		a.Add(`<p class="price" dir="auto">{}</p>`, a.of.Cost(*i, a.Words))
	}
	if i.Description != "" {
		a.paragraph(i.Description)
	}
	if a.of.Shop != nil && i.ID != "" {
		a.order(i)
	}
	a.add(`</section>`)
}

func (a *articles) paragraph(text string) { a.Add(`<p dir="auto">{}</p>`, text) }

func (a *articles) order(i *Item) {
	a.Line(`<form method="post" action="Order.ashx{}" lang="{}"><input type="hidden" name="productId" value="{}"><input type="hidden" name="price" value="{}"><label>{} <input type="number" name="amount" min="1" max="9999" value="1" required></label> <button name="language" value="{}">{}</button></form>`,
		a.of.Query, a.Tag, i.ID, i.Price, a.Amount, a.Tag, a.Order)
}
