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

// PageCount is what was counted of a page: its views, or the clicks on its links to one target.
type PageCount struct {
	Page   int
	Count  int64
	Target string // "" for views
}

// tally names an element that has a count, and its attributes.
type tally struct{ element, key, count string }

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

// GetNumberOfPageviewsPerPage returns the page views of each page of a paper in a period, both days included, then the
// clicks on links, and the address of a page for people that shows them: whoever has it can see that page, for some hours.
func (c *Client) GetNumberOfPageviewsPerPage(ctx context.Context, id int64, from, to time.Time) (pages []PageCount, address string, err error) {
	return counts(ctx, c, GetNumberOfPageviewsPerPage, []tally{{"page", "number", "views"}, {"link", "page", "clicks"}}, func(s *xmlscan.Scanner, key string, n int64) (PageCount, bool) {
		page, ok := number(key)
		return PageCount{int(page), n, s.AttrText("target")}, ok && page > 0
	}, dayParams(id, from, to))
}

func (c *Client) days(ctx context.Context, op *Operation, attr string, id int64, from, to time.Time) (days []DayCount, err error) {
	days, _, err = counts(ctx, c, op, []tally{{"day", "date", attr}}, func(_ *xmlscan.Scanner, key string, n int64) (DayCount, bool) {
		day, err := time.Parse(time.DateOnly, key)
		return DayCount{day, n}, err == nil
	}, dayParams(id, from, to))
	return days, err
}

// counts reads an answer with a count for each day, or page and link, and the address in it.
func counts[T any](ctx context.Context, c *Client, op *Operation, tallies []tally, of func(s *xmlscan.Scanner, key string, n int64) (T, bool), params []string) (all []T, address string, err error) {
	err = c.call(ctx, op, func() reading {
		var got []T
		var at string
		var odd error // of the last key that is no day or page, or has no number
		return reading{
			element: func(s *xmlscan.Scanner) error {
				if s.Is("pageviews") {
					at = s.AttrText("address")
				}
				for _, t := range tallies {
					if !s.Is(t.element) {
						continue
					}
					n, ok := number(s.AttrText(t.count))
					one, also := of(s, s.AttrText(t.key), n)
					if got = append(got, one); !ok || !also {
						odd = broken("the answer has no number for the %s %q", t.element, s.AttrText(t.key))
					}
				}
				return nil
			},
			check: func() error {
				all, address = got, at
				return odd
			},
		}
	}, params...)
	return all, address, err
}

func dayParams(id int64, from, to time.Time) []string {
	return []string{decimal(id), from.UTC().Format(time.DateOnly), to.UTC().Format(time.DateOnly)}
}

func number(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0
}
