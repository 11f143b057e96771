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

type statisticsData struct {
	*Statistics
	frameData
}

// Write writes the page.
func (s *Statistics) Write(w io.Writer) error {
	return forms().ExecuteTemplate(w, "statistics.html.tmpl", statisticsData{s, s.Frame.data()})
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
