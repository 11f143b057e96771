package remote

import (
	"context"
	"strconv"
	"time"

	"paperfs/remote/xmlscan"
)

// DayCount is what was counted on a day, which begins in UTC.
type DayCount struct {
	Day   time.Time
	Count int64
}

// GetNumberOfPageviewsPerDay returns the page views of a paper for each day of a period,
// both days included.
func (c *Client) GetNumberOfPageviewsPerDay(ctx context.Context, id int64, from, to time.Time) ([]DayCount, error) {
	return c.days(ctx, GetNumberOfPageviewsPerDay, "views", id, from, to)
}

// GetNumberOfVisitorsPerDay returns how many visits of a paper began on each day of a
// period, both days included.
func (c *Client) GetNumberOfVisitorsPerDay(ctx context.Context, id int64, from, to time.Time) ([]DayCount, error) {
	return c.days(ctx, GetNumberOfVisitorsPerDay, "visitors", id, from, to)
}

// GetNumberOfVisitors returns how many visits of a paper began in a period, both days
// included.
func (c *Client) GetNumberOfVisitors(ctx context.Context, id int64, from, to time.Time) (count int64, err error) {
	err = c.call(ctx, GetNumberOfVisitors, func() reading {
		found := int64(-1)
		return reading{
			element: func(s *xmlscan.Scanner) error {
				if n, ok := number(s.AttrText("count")); s.Is("visitors") && ok {
					found = n
				}
				return nil
			},
			check: func() error {
				if found < 0 {
					return broken("the answer has no number of visitors")
				}
				count = found
				return nil
			},
		}
	}, dayParams(id, from, to)...)
	return count, err
}

func (c *Client) days(ctx context.Context, op *Operation, attr string, id int64, from, to time.Time) (days []DayCount, err error) {
	err = c.call(ctx, op, func() reading {
		var got []DayCount
		var odd string // a day without a number, or what is no day
		var bad bool   // there is one
		return reading{
			element: func(s *xmlscan.Scanner) error {
				if !s.Is("day") {
					return nil
				}
				day, err := time.Parse(time.DateOnly, s.AttrText("date"))
				n, ok := number(s.AttrText(attr))
				if err != nil || !ok {
					odd, bad = s.AttrText("date"), true
					return nil
				}
				got = append(got, DayCount{day, n})
				return nil
			},
			check: func() error {
				if bad {
					return broken("the answer has no number for the day %q", odd)
				}
				days = got
				return nil
			},
		}
	}, dayParams(id, from, to)...)
	return days, err
}

func dayParams(id int64, from, to time.Time) []string {
	return []string{decimal(id), from.UTC().Format(time.DateOnly), to.UTC().Format(time.DateOnly)}
}

func number(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0
}
