package service

import (
	"time"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// mostDays is the longest period, in days, of the statistics of a paper.
const mostDays = 3_660

// days is the period of an operation, both days included.
type days struct{ from, to store.Day }

func (c *call) days() (d days, err error) {
	from, ok := day(c.param("from"))
	to, alsoOK := day(c.param("to"))
	if !ok || !alsoOK {
		return d, answer.Invalid("from and to have to be days like 2031-03-01, in UTC.")
	}
	d = days{store.DayOf(from), store.DayOf(to)}
	switch {
	case d.to < d.from:
		return d, answer.Invalid("from must not be after to.")
	case d.to-d.from >= mostDays:
		return d, answer.Invalid("from and to may span at most %d days.", mostDays)
	}
	return d, nil
}

func day(text string) (time.Time, bool) {
	t, err := time.Parse(time.DateOnly, rules.Trim(text))
	return t, err == nil
}

// counted reads the days of the period on which anything was counted for the paper that
// the parameters name.
func (c *call) counted() (d days, found []store.DayHits, err error) {
	id, err := c.id("paperID")
	if err != nil {
		return d, nil, err
	}
	if d, err = c.days(); err != nil {
		return d, nil, err
	}
	err = c.read(func(tx store.Reader) error {
		if _, err := c.paper(tx, id); err != nil {
			return err
		}
		found, err = tx.DayHits(id, d.from, d.to)
		return err
	})
	return d, found, err
}

func getNumberOfPageviewsPerDay(c *call, w *answer.Writer) error {
	d, found, err := c.counted()
	if err != nil {
		return err
	}
	answer.Days(w, "pageviews", "views", d.from, d.to, found, func(h store.DayHits) int64 { return h.Views })
	return nil
}

// getNumberOfPageviewsPerPage also tells the address of the page that shows the views to people.
func getNumberOfPageviewsPerPage(c *call, w *answer.Writer) error {
	id, err := c.id("paperID")
	if err != nil {
		return err
	}
	d, err := c.days()
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		paper, err := c.locatedPaper(tx, id)
		if err != nil {
			return err
		}
		found, err := tx.PageHits(id, d.from, d.to)
		if err != nil {
			return err
		}
		page := c.service.base.Public(c.request, c.tenant, paper.URL()+address.StatisticsFile) + c.service.images.Statistics(id)
		w.Open("pageviews", answer.String("address", page))
		for _, h := range found {
			w.Empty("page", answer.Int("number", int64(h.Page)), answer.Int("views", h.Views))
		}
		w.Close("pageviews")
		return nil
	})
}

func getNumberOfVisitorsPerDay(c *call, w *answer.Writer) error {
	d, found, err := c.counted()
	if err != nil {
		return err
	}
	c.message = "The visitors of each day follow."
	answer.Days(w, "visitors", "visitors", d.from, d.to, found, func(h store.DayHits) int64 { return h.Visits })
	return nil
}

func getNumberOfVisitors(c *call, w *answer.Writer) error {
	_, found, err := c.counted()
	if err != nil {
		return err
	}
	c.message = "The visitors follow."
	var visitors int64
	for _, h := range found {
		visitors += h.Visits
	}
	w.Empty("visitors", answer.Int("count", visitors))
	return nil
}
