package view

import (
	"fmt"
	"html/template"
	"io"
)

// Shelf is the page of a category: papers, and subcategories that contain papers.
type Shelf struct {
	Frame
	Query   string // of links that stay in the reader, such as "?ForceLanguage=de"; or ""
	Entries []Entry
	Next    int  // number of the next page; 0 for none
	Short   bool // the search for entries ended at a bound: there may be more
}

// Entry is a paper or category on a shelf.
type Entry struct {
	Name     string
	Address  string // relative to the category
	Category bool
	Cover    Picture // Address is "" for none
	Sharp    Picture // a larger one; Address is "" for none
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

// Picture returns the element for the entry's cover. place is the entry's index on the shelf.
// The cover is decoration: the name beside it says where the link leads.
func (e Entry) Picture(place int) template.HTML {
	if e.Cover.Address == "" {
		return "<b></b>"
	}
	when := ` loading="lazy"`
	if place < seenFirst {
		when = ""
	}
	at := template.HTMLEscapeString(e.Cover.Address)
	if e.Sharp.Address != "" {
		when += fmt.Sprintf(` srcset="%s %dw, %s %dw" sizes="min(42vw, 13rem)"`, at, e.Cover.Width, template.HTMLEscapeString(e.Sharp.Address), e.Sharp.Width)
	}
	return template.HTML(fmt.Sprintf(`<img src="%s" width="%d" height="%d" alt=""%s>`, at, e.Cover.Width, e.Cover.Height, when))
}

// More returns the query of the next page.
func (s *Shelf) More() string {
	parameter := fmt.Sprintf("Page=%d", s.Next)
	if s.Query == "" {
		return "?" + parameter
	}
	return s.Query + "&" + parameter
}
