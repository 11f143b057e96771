package view

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// Statistics is the page that shows a publisher how often each page of a paper was viewed in a month.
type Statistics struct {
	Frame
	Month          time.Time // its first day
	Earlier, Later string    // addresses of the months before and after it; "" for none
	Until          time.Time // when the address of this page expires
	Views, Visits  int64     // of the month
	Most           int64     // views of the page that was viewed most
	Pages          []Viewed
}

// Viewed is how often a page was viewed.
type Viewed struct {
	Number int
	Views  int64
	Thumb  Picture // Address is "" for none
}

// Write writes the page.
func (s *Statistics) Write(w io.Writer) error {
	d := s.document()
	d.beginOwn(&s.Frame)
	d.Line(`<title>{}: {}</title>`, d.ViewsByPage, s.Title)
	d.tab(&s.Frame)
	d.look(&s.Frame, "reader.css", "help.css", "statistics.css")
	d.body(&s.Frame, ` class="help statistics"`)
	d.Line(`<main>
<p class="whose" lang="{}" dir="auto">{}</p>
<h1>{}</h1>
<nav aria-label="{}">`, s.language(), s.Name, d.ViewsByPage, d.Month)
	if s.Earlier != "" {
		d.Add(`<a class="button" rel="prev" href="{}">{}</a>`, s.Earlier, s.OfMonth(d.Words, -1))
	}
	d.Add(`<strong aria-current="page">{}</strong>`, s.OfMonth(d.Words, 0))
	if s.Later != "" {
		d.Add(`<a class="button" rel="next" href="{}">{}</a>`, s.Later, s.OfMonth(d.Words, 1))
	}
	d.Add(`</nav>
<dl><dt>{}</dt><dd>{}</dd><dt>{}</dt><dd>{}</dd></dl>`, d.Words.Views, s.Views, d.Words.Visits, s.Visits)
	if len(s.Pages) > 0 {
		s.table(d)
	} else {
		d.Line(`<p>{}</p>`, d.Empty)
	}
	d.Line(`<p class="whose">{}</p>
</main>
</body>
</html>
`, fmt.Sprintf(d.ForOwners, s.Expiry(d.Words)))
	return d.flush(w)
}

func (s *Statistics) table(d *document) {
	d.Line(`<table>
<caption>{}, {}</caption>
<thead><tr><th scope="col">{}</th><th scope="col">{}</th></tr></thead>
<tbody>`, d.ViewsByPage, s.OfMonth(d.Words, 0), d.Words.Pages, d.Words.Views)
	for _, v := range s.Pages {
		d.Line(`<tr><th scope="row">`)
		if v.Thumb.Address != "" {
			d.Add(`<img src="{}" width="{}" height="{}" alt="" loading="lazy">`, v.Thumb.Address, v.Thumb.Width, v.Thumb.Height)
		}
		d.Add(`<span>{}</span></th><td><svg aria-hidden="true"><rect width="{}" height="100%"/></svg><span>{}</span></td></tr>`, fmt.Sprintf(d.Page, v.Number), s.Bar(v), v.Views)
	}
	d.Line(`</tbody>
</table>`)
}

// Bar returns the length of a page's bar, in percent of the longest one.
func (s *Statistics) Bar(v Viewed) string {
	return fmt.Sprintf("%.1f%%", 100*float64(v.Views)/float64(max(1, s.Most)))
}

// OfMonth names a month that is some months from the one that is shown.
func (s *Statistics) OfMonth(w Words, from int) string {
	at := s.Month.AddDate(0, from, 0)
	name := fmt.Sprintf(w.MonthOf, w.Months[at.Month()-1], at.Year())
	_, first := utf8.DecodeRuneInString(name)
	return strings.ToUpper(name[:first]) + name[first:]
}

// Expiry is the time of Until.
func (s *Statistics) Expiry(w Words) string {
	return w.Date(s.Until) + s.Until.UTC().Format(", 15:04 UTC")
}
