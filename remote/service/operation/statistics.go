package operation

import (
	"cmp"
	"time"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/store"
)

// mostDays is the longest period, in days, of the statistics of a paper.
const mostDays = 3_660

// days is the period of an operation, both days included.
type days struct{ from, to store.Day }

func readDays(c *call.Call) (d days, err error) {
	from, ok := day(c.Param("from"))
	to, alsoOK := day(c.Param("to"))
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

// readCounted reads the days of the period on which anything was counted for the paper that
// the parameters name.
func readCounted(c *call.Call) (d days, found []store.DayHits, err error) {
	id, noID := c.ID("paperID")
	d, noDays := readDays(c)
	if err := cmp.Or(noID, noDays); err != nil {
		return d, nil, err
	}
	err = c.Read(func(tx store.Reader) error {
		if _, err := c.Paper(tx, id); err != nil {
			return err
		}
		found, err = tx.DayHits(id, d.from, d.to)
		return err
	})
	return d, found, err
}

func getNumberOfPageviewsPerDay(c *call.Call, w *answer.Writer) error {
	d, found, err := readCounted(c)
	if err == nil {
		answer.Days(w, "pageviews", "views", d.from, d.to, found, func(h store.DayHits) int64 { return h.Views })
	}
	return err
}

// getNumberOfPageviewsPerPage also tells the clicks on links, and the address of the page that shows the views to people.
func getNumberOfPageviewsPerPage(c *call.Call, w *answer.Writer) error {
	id, noID := c.ID("paperID")
	d, noDays := readDays(c)
	if err := cmp.Or(noID, noDays); err != nil {
		return err
	}
	return c.Read(func(tx store.Reader) error {
		paper, err := c.LocatedPaper(tx, id)
		if err != nil {
			return err
		}
		found, err := tx.PageHits(id, d.from, d.to)
		if err != nil {
			return err
		}
		page := c.Service.Base.Public(c.Request, c.Tenant, paper.URL()+address.StatisticsFile) + c.Service.Images.Statistics(id)
		w.Open("pageviews", answer.String("address", page))
		for _, h := range found {
			if h.Target == "" {
				w.Empty("page", answer.Int("number", int64(h.Page)), answer.Int("views", h.Count))
			} else {
				w.Empty("link", answer.Int("page", int64(h.Page)), answer.String("target", h.Target), answer.Int("clicks", h.Count))
			}
		}
		w.Close("pageviews")
		return nil
	})
}

func getNumberOfVisitorsPerDay(c *call.Call, w *answer.Writer) error {
	c.Message = "The visitors of each day follow."
	d, found, err := readCounted(c)
	if err == nil {
		answer.Days(w, "visitors", "visitors", d.from, d.to, found, func(h store.DayHits) int64 { return h.Visits })
	}
	return err
}

func getNumberOfVisitors(c *call.Call, w *answer.Writer) error {
	_, found, err := readCounted(c)
	if err != nil {
		return err
	}
	c.Message = "The visitors follow."
	var visitors int64
	for _, h := range found {
		visitors += h.Visits
	}
	w.Empty("visitors", answer.Int("count", visitors))
	return nil
}
