package view

import (
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"paperfs/remote/service/product"
)

// near is how much of its size a picture has to have: a browser that shows the
// normal one a little larger need not load the one of four times its bytes.
const near = .85

// Widths is what the attribute sizes says of a picture: where pages stand side by
// side it is half as wide as the window, else as wide, and never higher than it.
func (p Page) Widths(layout Layout) string {
	if p.Normal.Height == 0 {
		return ""
	}
	high := fmt.Sprintf("calc((100vh - 3.5rem)*%.4g)", near*float64(p.Normal.Width)/float64(p.Normal.Height))
	one := fmt.Sprintf("min(%.4gvw,%s)", 100*near, high)
	if layout == Single {
		return one
	}
	return fmt.Sprintf("(orientation:landscape) min(%.4gvw,%s),%s", 50*near, high, one)
}

// Place is the class of a page: the half of a spread that it is in.
func (p *Paper) Place(page Page) string {
	switch {
	case p.Layout == Single || page.Number == 1:
		return ""
	case page.Number%2 == 1:
		return "right"
	case page.Number == p.Last():
		return "left last"
	}
	return "left"
}

// Side is where a page stands in its half of a spread: at the spine.
func (p Page) Side(layout Layout) string {
	switch {
	case layout == Single || p.Number == 1:
		return "xMidYMid"
	case p.Number%2 == 0:
		return "xMaxYMid"
	}
	return "xMinYMid"
}

// Label is the name of a spot: its own, else what it leads to.
func (s Spot) Label(w Words) string {
	switch {
	case s.Name != "":
		return s.Name
	case s.Page > 0 && s.Chapter != "":
		return fmt.Sprintf(w.Page, s.Page) + ": " + s.Chapter
	case s.Page > 0:
		return fmt.Sprintf(w.Page, s.Page)
	}
	at, err := url.Parse(string(s.Href))
	if err != nil || at.Host == "" {
		return string(s.Href)
	}
	return strings.TrimPrefix(at.Host, "www.") + strings.TrimSuffix(at.Path, "/")
}

// Tree is the contents as lists in lists.
func (p *Paper) Tree() template.HTML {
	var b strings.Builder
	var open []int // levels of the lists that are open
	for _, c := range p.Contents {
		for len(open) > 1 && open[len(open)-1] > c.Level {
			b.WriteString("</li></ol>")
			open = open[:len(open)-1]
		}
		if last := len(open) - 1; last < 0 || open[last] < c.Level {
			b.WriteString("<ol>")
			open = append(open, c.Level)
		} else {
			b.WriteString("</li>")
			open[last] = c.Level // the first need not be the highest
		}
		fmt.Fprintf(&b, `<li><a href="%s"><bdi>%s</bdi> <span>%d</span></a>`, template.HTMLEscapeString(string(c.Href)), template.HTMLEscapeString(c.Title), c.Page)
	}
	b.WriteString(strings.Repeat("</li></ol>", len(open)))
	return template.HTML(b.String())
}

// Last is the number of the last page that is here.
func (p *Paper) Last() int { return p.First + p.Count - 1 }

// Earlier is the number of the first page of the part before; 0 for none.
func (p *Paper) Earlier() int {
	if p.First == 1 {
		return 0
	}
	return max(1, p.First-p.Step)
}

// Later is the number of the first page of the part behind; 0 for none.
func (p *Paper) Later() int {
	if p.Last() >= p.Total {
		return 0
	}
	return p.Last() + 1
}

// Eager reports whether a page's picture belongs to what is seen first. The text view shows none.
func (p *Paper) Eager(page Page) bool { return page.Number == p.First && !p.Led && !p.Text }

// Far reports whether a page has a small picture for a browser without scripts, which loads all
// pictures at once.
func (p *Paper) Far(page Page) bool { return page.Number < p.Sharp || page.Number >= p.SharpEnd }

// Around is the address that has large pictures around a page.
func (p *Paper) Around(page Page) string {
	at := fmt.Sprintf("Sharp=%d#p%d", page.Number, page.Number)
	if p.First > 1 {
		at = fmt.Sprintf("Page=%d&", p.First) + at
	}
	return "./" + p.And(at)
}

// And is a query with one more parameter.
func (p *Paper) And(parameter string) string {
	if p.Query == "" {
		return "?" + parameter
	}
	return p.Query + "&" + parameter
}

// Cost is the price of a product as it is read.
func (p *Paper) Cost(i Item, w Words) string {
	currency := ""
	if p.Shop != nil {
		currency = p.Shop.Currency
	}
	if price, ok := product.Price(i.Price); ok {
		return w.Money(price, currency)
	}
	return i.Price
}
