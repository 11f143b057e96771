package view

import (
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Shelf is the page of a category: papers, and subcategories that contain papers.
type Shelf struct {
	Frame
	Base    string // its absolute address, without parameters
	Query   string // of links that stay in the reader, such as "?ForceLanguage=de"; or ""
	Entries []Entry
	Page    int    // number of this page; 0 for the first
	Next    int    // number of the next page; 0 for none
	Short   bool   // the search for entries ended at a bound: there may be more
	Search  string // words in the names of the entries; "" for all entries

	Newest      bool // the newest papers come first
	NewestFirst bool // so it is if the address does not say otherwise
}

// Entry is a paper or category on a shelf.
type Entry struct {
	Name     string
	Address  string // relative to the category
	Category bool
	Date     time.Time // zero for none
	Cover    Picture   // Address is "" for none
	Sharp    Picture   // a larger one; Address is "" for none
}

// Write writes a shelf.
func (s *Shelf) Write(w io.Writer) error {
	d := s.document()
	d.begin(&s.Frame, s.language(), Form(` class="{}{}"`, when(s.Bare, "bare "), s.Scheme()))
	d.named(&s.Frame, "")
	d.tab(&s.Frame)
	d.look(&s.Frame, "reader.css", "shelf.css")
	if !s.Hidden {
		d.Line(`<script type="application/ld+json">{}</script>`, data(s.About()))
	}
	d.body(&s.Frame, ` class="shelf covers"`)
	s.top(d)
	if s.Search != "" {
		d.Line(`<p class="said" lang="{}">{}<a class="button" href="{}">{}</a></p>`, d.Tag, when(len(s.Entries) == 0, Form("{} ", d.NoPapers)), s.Whole(), d.AllPapers)
	}
	if len(s.Entries) > 0 {
		d.Line(`<ul>`)
		for place := range s.Entries {
			s.entry(d, place)
		}
		d.Line(`</ul>`)
	}
	if s.Next != 0 {
		d.Line(`<p lang="{}"><a class="button" rel="next" href="{}">{}</a></p>`, d.Tag, s.More(), d.Words.More)
	}
	if s.Short {
		d.Line(`<p lang="{}">{}</p>`, d.Tag, d.Words.Short)
	}
	d.Line(`</main>
</body>
</html>
`)
	return d.flush(w)
}

// top has the way to the shelf, its name, and its tools.
func (s *Shelf) top(d *document) {
	d.Line(`<a class="skip" href="#papers" lang="{}">{}</a>`, d.Tag, d.SkipToPapers)
	if s.Bare {
		d.Line(`<main id="papers" tabindex="-1">`)
		return
	}
	if len(s.Crumbs) > 0 || s.Logo != "" {
		s.way(d)
	}
	d.Line(`<main id="papers" tabindex="-1">
<div class="top">
<h1 dir="auto">{}</h1>`, s.Name)
	if s.Tools() {
		s.tools(d)
	}
	d.Line(`</div>`)
}

// way has the logo, and links to the categories above.
func (s *Shelf) way(d *document) {
	d.Line(`<header>`)
	if s.Logo != "" {
		d.Add(`<span class="logo"><img src="{}{}" alt=""></span>`, d.base, s.Logo)
	}
	if len(s.Crumbs) > 0 {
		d.Add(`<nav class="crumbs" aria-label="{}">`, d.Here)
		for _, c := range s.Crumbs {
			d.Add(`<a href="{}{}"><bdi>{}</bdi></a>`, c.Address, s.Query, c.Name)
		}
		d.add(`</nav>`)
	}
	d.add(`</header>`)
}

// tools has the search and the orders.
func (s *Shelf) tools(d *document) {
	d.Line(`<form role="search" action="./" lang="{}">`, d.Tag)
	for _, kept := range s.Kept() {
		d.Add(`<input type="hidden" name="{}" value="{}">`, kept.Name, kept.Value)
	}
	const current HTML = ` aria-current="true"`
	d.Line(`<input type="search" name="Search" value="{}" maxlength="200" dir="auto" enterkeyhint="search" aria-label="{}" placeholder="{}">
<button aria-label="{}">{}</button></form>
<nav class="sorted" aria-label="{}" lang="{}"><a href="{}"{}>{}</a><a href="{}"{}>{}</a></nav>`,
		s.Search, d.Titles, d.Titles, d.Words.Search, icon(lens),
		d.Sorting, d.Tag, s.Sorted(false), when(!s.Newest, current), d.ByName, s.Sorted(true), when(s.Newest, current), d.Newest)
}

// entry has a paper or category, by its index on the shelf.
func (s *Shelf) entry(d *document, place int) {
	e := s.Entries[place]
	d.Line(`<li{}><a href="{}{}">{}<bdi>{}</bdi>`, when(e.Category, ` class="category"`), e.Address, s.Query, s.picture(place), e.Name)
	if e.Category {
		d.Add(` <span lang="{}">{}</span>`, d.Tag, d.Category)
	}
	if !e.Date.IsZero() {
		d.Add(` <time datetime="{}" lang="{}">{}</time>`, e.Date.Format(time.DateOnly), d.Tag, d.Date(e.Date))
	}
	d.add(`</a></li>`)
}

// seenFirst is the number of covers that browsers load at once, without lazy loading.
const seenFirst = 4

// picture returns the element for the cover of an entry, by its index on the shelf. The cover is decoration: the
// name beside it says where the link leads.
func (s *Shelf) picture(place int) HTML {
	e := s.Entries[place]
	if e.Cover.Address == "" {
		return "<b></b>"
	}
	width := "min(42vw, 13rem)"
	if len(s.Entries) == 1 {
		width = "min(80vw, 22rem)"
	}
	var sharp HTML
	if e.Sharp.Address != "" {
		sharp = Form(` srcset="{} {}w, {} {}w" sizes="{}"`, e.Cover.Address, e.Cover.Width, e.Sharp.Address, e.Sharp.Width, width)
	}
	return Form(`<img src="{}" width="{}" height="{}" alt=""{}{}>`, e.Cover.Address, e.Cover.Width, e.Cover.Height, when(place >= seenFirst, ` loading="lazy"`), sharp)
}

// Tools reports whether there is something to search and to sort.
func (s *Shelf) Tools() bool {
	return !s.Bare && (len(s.Entries) > 1 || s.Search != "" || s.Page > 0 || s.Entries[0].Category)
}

// Parameter is a part of a query.
type Parameter struct{ Name, Value string }

// Kept returns the parameters that a search keeps.
func (s *Shelf) Kept() (all []Parameter) {
	query := s.query("", s.Newest, 0)
	for _, name := range slices.Sorted(maps.Keys(query)) {
		all = append(all, Parameter{name, query.Get(name)})
	}
	return all
}

// More returns the query of the next page.
func (s *Shelf) More() string { return "?" + s.query(s.Search, s.Newest, s.Next).Encode() }

// Whole returns the address of this shelf without a search.
func (s *Shelf) Whole() string { return "./?" + s.query("", s.Newest, 0).Encode() }

// Sorted returns the address of this shelf in an order.
func (s *Shelf) Sorted(newest bool) string { return "./?" + s.query(s.Search, newest, 0).Encode() }

func (s *Shelf) query(search string, newest bool, page int) url.Values {
	query, _ := url.ParseQuery(strings.TrimPrefix(s.Query, "?")) // Query is well-formed
	if search != "" {
		query.Set("Search", search)
	}
	if newest != s.NewestFirst {
		query.Set("Order", map[bool]string{true: "newest", false: "name"}[newest])
	}
	if page > 1 {
		query.Set("Page", strconv.Itoa(page))
	}
	return query
}
