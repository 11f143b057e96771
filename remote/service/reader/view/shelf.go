package view

import (
	"fmt"
	"html/template"
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

type shelfData struct {
	*Shelf
	frameData
}

// Write writes a shelf.
func (s *Shelf) Write(w io.Writer) error {
	return forms().ExecuteTemplate(w, "shelf.html.tmpl", shelfData{s, s.Frame.data()})
}

// seenFirst is the number of covers that browsers load at once, without lazy loading.
const seenFirst = 4

// Picture returns the element for the cover of an entry, by its index on the shelf. The cover is decoration: the
// name beside it says where the link leads.
func (s *Shelf) Picture(place int) template.HTML {
	e := s.Entries[place]
	if e.Cover.Address == "" {
		return "<b></b>"
	}
	when, width := ` loading="lazy"`, "min(42vw, 13rem)"
	if place < seenFirst {
		when = ""
	}
	if len(s.Entries) == 1 {
		width = "min(80vw, 22rem)"
	}
	at := template.HTMLEscapeString(e.Cover.Address)
	if e.Sharp.Address != "" {
		when += fmt.Sprintf(` srcset="%s %dw, %s %dw" sizes="%s"`, at, e.Cover.Width, template.HTMLEscapeString(e.Sharp.Address), e.Sharp.Width, width)
	}
	return template.HTML(fmt.Sprintf(`<img src="%s" width="%d" height="%d" alt=""%s>`, at, e.Cover.Width, e.Cover.Height, when))
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
