package view

import (
	"embed"
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

//go:embed *.html.tmpl
var templateFiles embed.FS

// forms returns the templates, which are parsed at the first use.
var forms = sync.OnceValue(func() *template.Template {
	_, names := assets()
	return template.Must(template.New("").Funcs(template.FuncMap{
		"asset": func(name string) string { return names[name] },
		"of":    fmt.Sprintf,
	}).ParseFS(templateFiles, "*.html.tmpl"))
})

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

// Picture is the element of a page's picture. It is made here: html/template takes
// longer for its ten values than for all else of a page.
func (p Page) Picture(of *Paper) template.HTML {
	var b strings.Builder
	at := template.HTMLEscapeString(p.Normal.Address)
	fmt.Fprintf(&b, `<img src="%s" srcset="%s %dw`, at, at, p.Normal.Width)
	if p.Zoom.Address != "" {
		fmt.Fprintf(&b, `, %s %dw`, template.HTMLEscapeString(p.Zoom.Address), p.Zoom.Width)
	}
	when := `loading="lazy"`
	if of.Eager(p) {
		when = `fetchpriority="high"`
	}
	fmt.Fprintf(&b, `" sizes="%s" width="%d" height="%d" alt="" %s data-thumb="%s">`,
		p.Widths(of.Layout), p.Normal.Width, p.Normal.Height, when, template.HTMLEscapeString(p.Thumb))
	return template.HTML(b.String())
}

// Shape is the element of a spot's area, in the picture's pixels.
func (p Page) Shape(s Spot) template.HTML {
	w, h := float64(p.Normal.Width), float64(p.Normal.Height)
	if len(s.Polygon) == 0 {
		return template.HTML(`<rect x="` + fixed(s.X*w) + `" y="` + fixed(s.Y*h) + `" width="` + fixed(s.Width*w) + `" height="` + fixed(s.Height*h) + `"/>`)
	}
	var points []string
	for _, at := range s.Polygon {
		points = append(points, fixed(at.X*w)+","+fixed(at.Y*h))
	}
	return template.HTML(`<polygon points="` + strings.Join(points, " ") + `"/>`)
}

// fixed writes a number with one digit: a tenth of a pixel is enough.
func fixed(f float64) string {
	return strconv.FormatFloat(float64(int64(f*10+0.5))/10, 'f', -1, 64)
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
		fmt.Fprintf(&b, `<li><a href="%s">%s <span>%d</span></a>`, template.HTMLEscapeString(string(c.Href)), template.HTMLEscapeString(c.Title), c.Page)
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

// Eager reports whether a page belongs to what is seen first.
func (p *Paper) Eager(page Page) bool { return page.Number == p.First }

// And is a query with one more parameter.
func (p *Paper) And(parameter string) string {
	if p.Query == "" {
		return "?" + parameter
	}
	return p.Query + "&" + parameter
}
