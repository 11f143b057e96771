package document

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"strconv"
	"time"

	"paperfs/remote"
)

// monthForm is the layout of a month.
const monthForm = "2006-01"

// firstMonth is the first month with statistics: the service counted nothing before it.
var firstMonth = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Month parses a month such as 2026-11. ok is false if it has no statistics, for example
// because it has not begun, in UTC. It makes no requests.
func (c *Cache) Month(text string) (month time.Time, ok bool) {
	month, err := time.Parse(monthForm, text)
	return month, err == nil && !month.Before(firstMonth) && !month.After(c.now())
}

// Statistics returns the days of a month up to today as CSV, with page views and visits: 2
// requests, 0 while cached.
func (c *Cache) Statistics(ctx context.Context, id int64, month time.Time) ([]byte, error) {
	return c.document(ctx, key{DocStatistics, id, month.Format(monthForm)}, func(ctx context.Context) ([]byte, error) {
		last := c.lastDay(month)
		views, err := c.service.GetNumberOfPageviewsPerDay(ctx, id, month, last)
		if err != nil {
			return nil, err
		}
		visitors, err := c.service.GetNumberOfVisitorsPerDay(ctx, id, month, last)
		if err != nil {
			return nil, err
		}
		return statistics(month, last, views, visitors), nil
	})
}

// PagesOf and LinksOf are what follows a month in the names of its statistics by page and by link.
const PagesOf, LinksOf = "-pages", "-links"

// PageStatistics returns the page views of each page in a month up to today as CSV, or the clicks on links: 1 request, 0
// while cached.
func (c *Cache) PageStatistics(ctx context.Context, id int64, month time.Time, of string) ([]byte, error) {
	return c.document(ctx, key{DocStatistics, id, month.Format(monthForm) + of}, func(ctx context.Context) ([]byte, error) {
		pages, _, err := c.service.GetNumberOfPageviewsPerPage(ctx, id, month, c.lastDay(month))
		rows := [][]string{{"page", "pageviews"}}
		if of == LinksOf {
			rows[0] = []string{"page", "link", "clicks"}
		}
		for _, p := range pages {
			page, count := strconv.Itoa(p.Page), strconv.FormatInt(p.Count, 10)
			switch {
			case of == PagesOf && p.Target == "":
				rows = append(rows, []string{page, count})
			case of == LinksOf && p.Target != "":
				rows = append(rows, []string{page, p.Target, count})
			}
		}
		var b bytes.Buffer
		_ = csv.NewWriter(&b).WriteAll(rows) // a buffer takes all
		return b.Bytes(), err
	})
}

// StatisticsAddress returns the address of a page that shows a paper's statistics, for some hours: 1 request each
// time, because it expires.
func (c *Cache) StatisticsAddress(ctx context.Context, id int64) (string, error) {
	now := c.now()
	_, address, err := c.service.GetNumberOfPageviewsPerPage(ctx, id, now, now)
	return address, err
}

// lastDay returns the last day of a month that has begun.
func (c *Cache) lastDay(month time.Time) time.Time {
	last := month.AddDate(0, 1, -1)
	if now := c.now().UTC(); now.Before(last) {
		last = time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	}
	return last
}

func statistics(from, to time.Time, views, visitors []remote.DayCount) []byte {
	ofViews, ofVisitors := byDay(views), byDay(visitors)
	var b bytes.Buffer
	b.WriteString("date,pageviews,visitors\n")
	for day := from; !day.After(to); day = day.AddDate(0, 0, 1) {
		fmt.Fprintf(&b, "%s,%d,%d\n", day.Format(time.DateOnly), ofViews[day.Unix()], ofVisitors[day.Unix()])
	}
	return b.Bytes()
}

// byDay returns the counts by the Unix time at which their day begins. A day that the
// service omits counts zero.
func byDay(counts []remote.DayCount) map[int64]int64 {
	all := make(map[int64]int64, len(counts))
	for _, c := range counts {
		all[c.Day.Unix()] = c.Count
	}
	return all
}
