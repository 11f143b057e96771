package store

import "time"

// Day is a day in UTC, counted from 1970-01-01.
type Day int64

// DayOf is the day of a moment.
func DayOf(t time.Time) Day { return Day(t.Unix() / (24 * 60 * 60)) }

// Start is the first moment of a day.
func (d Day) Start() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

// Hits are what was looked at of a paper on a day.
type Hits struct {
	Paper  int64
	Day    Day
	Visits int64
	Views  map[int]int64 // by page number
}

// DayHits is what was counted on a day: views of pages, and visits.
type DayHits struct {
	Day           Day
	Views, Visits int64
}

// StatisticsReader finds what was counted.
type StatisticsReader interface {
	// DayHits returns the days of a paper, from one to another (included), on which
	// anything was counted, oldest first.
	DayHits(paper int64, from, to Day) ([]DayHits, error)
}

// StatisticsWriter counts.
type StatisticsWriter interface {
	// AddHits adds to what was counted, for each paper and day once. Hits of a paper that
	// the tenant does not have are left out: it may have gone since.
	AddHits(tenant int64, hits []Hits) error
}
