package view

import (
	"fmt"
	"html/template"
	"io"
)

// Shelf is what a category shows: papers, and categories that have any.
type Shelf struct {
	Frame
	Query   string // of addresses that lead on from here, such as "?ForceLanguage=de"; or ""
	Entries []Entry
	Next    int  // number of the page with more; 0 for none
	Short   bool // there may be more that was not looked at
}

// Entry is a paper or category of a shelf.
type Entry struct {
	Name     string
	Address  string // relative to the category's
	Category bool
	Cover    Picture // without an Address for none
}

type shelfData struct {
	*Shelf
	frameData
}

// Write writes a shelf.
func (s *Shelf) Write(w io.Writer) error {
	return forms().ExecuteTemplate(w, "shelf.html.tmpl", shelfData{s, s.Frame.data()})
}

// seenFirst is how many covers are asked for before the place of each is known.
const seenFirst = 4

// Picture is the element of the cover of an entry, by its place on the shelf. It is
// decoration: the name beside it says what the link leads to.
func (e Entry) Picture(place int) template.HTML {
	if e.Cover.Address == "" {
		return "<b></b>"
	}
	when := ` loading="lazy"`
	if place < seenFirst {
		when = ""
	}
	return template.HTML(fmt.Sprintf(`<img src="%s" width="%d" height="%d" alt=""%s>`, template.HTMLEscapeString(e.Cover.Address), e.Cover.Width, e.Cover.Height, when))
}

// More is the query of the address with more.
func (s *Shelf) More() string {
	parameter := fmt.Sprintf("Page=%d", s.Next)
	if s.Query == "" {
		return "?" + parameter
	}
	return s.Query + "&" + parameter
}
