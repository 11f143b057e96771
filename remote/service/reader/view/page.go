package view

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paperfs/remote/service/property"
)

// around returns what is above and below a page in the window: two bars, and the gaps. Both are smaller in
// windows that are lower than 30em (reader.css).
func (p *Paper) around() string {
	return map[bool]string{true: "clamp(.8rem,30vh - 8.2rem,2.5rem)", false: "clamp(6.3rem,40vh - 6rem,9rem)"}[p.Bare || p.Maximize]
}

// Widths returns the attribute sizes of a picture, by which browsers choose one that they need not enlarge: as reader.css
// lays it out, never higher than the window without what is around the page, and in a spread half as wide as the window.
func (p Page) Widths(paired bool, around string) string {
	if p.Normal.Height == 0 {
		return ""
	}
	high := fmt.Sprintf("calc((100vh - %s)*%.4g)", around, float64(p.Normal.Width)/float64(p.Normal.Height))
	one := fmt.Sprintf("min(100vw - 1.5rem,%s)", high)
	if !paired {
		return one
	}
	return fmt.Sprintf("(orientation:landscape) min(50vw - 1.25rem,%s),%s", high, one)
}

// Wide reports whether a page is wider than high: it fills a view of its own.
func (p *Page) Wide() bool { return p.Normal.Width > p.Normal.Height }

// Long reports whether a page is too long to be read as a whole: it is as wide as its view, and scrolls.
func (p *Page) Long() bool { return p.Normal.Height > 2*p.Normal.Width }

// single reports whether a page has no other beside it.
func (p *Page) single() bool { return p.Wide() || p.Long() }

// Side says which half of a spread a page fills. It is a class of the page's element.
type Side string

const (
	Alone Side = ""
	Left  Side = "left"
	Right Side = "right"
)

// Aligned returns the alignment of a page in its half of a spread: towards the spine.
func (s Side) Aligned() string {
	return map[Side]string{Alone: "xMidYMid", Left: "xMaxYMid", Right: "xMinYMid"}[s]
}

// RightToLeft reports whether pages follow each other from right to left, as the lines of the language do, or as the PDF
// asks for.
func (f Frame) RightToLeft() bool {
	primary, _, _ := strings.Cut(strings.ToLower(f.Language), "-")
	return f.FromRight || slices.Contains([]string{"ar", "dv", "fa", "he", "iw", "ps", "sd", "ug", "ur", "yi"}, primary)
}

// label returns the label of a page; "" for none.
func (p *Paper) label(number int) string {
	if number < 1 || number > len(p.Labels) {
		return ""
	}
	return p.Labels[number-1]
}

// called returns what a page is called: its label or, without one, its number.
func (p *Paper) called(number int) string { return cmp.Or(p.label(number), strconv.Itoa(number)) }

// named returns the name of a page.
func (p *Paper) named(w Words, number int) string {
	return strings.Replace(w.Page, "%d", p.called(number), 1)
}

// ofAll puts the number of all pages into a form, in which it is the last one.
func (p *Paper) ofAll(form string) string {
	at := strings.LastIndex(form, "%d")
	return form[:at] + strconv.Itoa(p.Total) + form[at+len("%d"):]
}

// spotName returns the spot's own name, or else a name for its target.
func (p *Paper) spotName(w Words, s *Spot) string {
	switch {
	case s.Name != "":
		return s.Name
	case s.Page > 0 && s.Chapter != "":
		return p.named(w, s.Page) + ": " + s.Chapter
	case s.Page > 0:
		return p.named(w, s.Page)
	}
	at, err := url.Parse(string(s.Href))
	if err != nil || at.Host == "" {
		return string(s.Href)
	}
	return strings.TrimPrefix(at.Host, "www.") + strings.TrimSuffix(at.Path, "/")
}

// Tree returns the contents as nested lists.
func (p *Paper) Tree() HTML {
	var m Markup
	var open []int // levels of the lists that are open
	for _, c := range p.Contents {
		for len(open) > 1 && open[len(open)-1] > c.Level {
			m.add("</li></ol>")
			open = open[:len(open)-1]
		}
		if last := len(open) - 1; last < 0 || open[last] < c.Level {
			m.add("<ol>")
			open = append(open, c.Level)
		} else {
			m.add("</li>")
			open[last] = c.Level // the first chapter need not have the highest level
		}
		m.Add(`<li><a href="{}" data-page="{}"><bdi>{}</bdi> <span>{}</span></a>`, c.Href, c.Page, c.Title, p.called(c.Page))
	}
	for range open {
		m.add("</li></ol>")
	}
	return HTML(m)
}

// Last returns the number of the last page of this part.
func (p *Paper) Last() int { return p.First + p.Count - 1 }

// Earlier returns the number of the first page of the previous part, or 0 for none.
func (p *Paper) Earlier() int {
	if p.First == 1 {
		return 0
	}
	return max(1, p.First-p.Step)
}

// Later returns the number of the first page of the next part, or 0 for none.
func (p *Paper) Later() int {
	if p.Last() >= p.Total {
		return 0
	}
	return p.Last() + 1
}

// Eager reports whether the reader sees the page's picture first. The text view shows no pictures.
func (p *Paper) Eager(page Page) bool { return page.Number == p.First && !p.Anchored && !p.Text }

// Far reports whether a page has a small picture for a browser without scripts, which loads all
// pictures at once.
func (p *Paper) Far(page Page) bool { return page.Number < p.Sharp || page.Number >= p.SharpEnd }

// Around returns the address that has large pictures around a page.
func (p *Paper) Around(page Page) string {
	at := fmt.Sprintf("Sharp=%d#p%d", page.Number, page.Number)
	if p.First > 1 {
		at = fmt.Sprintf("Page=%d&", p.First) + at
	}
	return "./" + p.And(at)
}

// And returns the paper's query with one more parameter.
func (p *Paper) And(parameter string) string {
	if p.Query == "" {
		return "?" + parameter
	}
	return p.Query + "&" + parameter
}

// Cost returns the price of a product as the reader sees it.
func (p *Paper) Cost(i Item, w Words) string {
	currency := ""
	if p.Shop != nil {
		currency = p.Shop.Currency
	}
	if price, ok := property.Price(i.Price); ok {
		return w.Money(price, currency)
	}
	return i.Price
}
