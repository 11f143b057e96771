package store

import "time"

// Day is a day in UTC, counted from 1970-01-01.
type Day int64

// DayOf returns the day of a time.
func DayOf(t time.Time) Day { return Day(t.Unix() / (24 * 60 * 60)) }

// Start returns the first moment of a day.
func (d Day) Start() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

// Hit is a view of a page, or a click on a link of it.
type Hit struct {
	Page   int    // its number
	Target string // what the link leads to, as people call it; "" for a view of the page
}

// Hits are the page views, clicks and visits of a paper on a day.
type Hits struct {
	Paper  int64
	Day    Day
	Visits int64
	Counts map[Hit]int64
}

// DayHits are the totals of a paper on a day.
type DayHits struct {
	Day           Day
	Views, Visits int64
}

// PageHits are the views of a page of a paper, or the clicks on its links to one target.
type PageHits struct {
	Hit
	Count int64
}

// StatisticsReader reads the counts.
type StatisticsReader interface {
	// DayHits returns the days of a paper on which anything was counted, from one day to another
	// (inclusive), oldest first.
	DayHits(paper int64, from, to Day) ([]DayHits, error)
	// PageHits returns the views of each page that the paper has, or had when it was viewed, from one
	// day to another (inclusive), by number; and then the clicks, by number and target.
	PageHits(paper int64, from, to Day) ([]PageHits, error)
}

// StatisticsWriter changes the counts.
type StatisticsWriter interface {
	// AddHits adds to the counts. hits has at most one element for each paper and day. Hits of
	// papers that the tenant does not have are ignored: such a paper may just have been removed.
	AddHits(tenant int64, hits []Hits) error
}
