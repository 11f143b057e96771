package sqlitestore

import (
	"paperfs/remote/service/store"
)

func (t *tx) DayHits(paper int64, from, to store.Day) (days []store.DayHits, err error) {
	err = t.each(`
		SELECT day, sum(views), sum(visits) FROM (
			SELECT day, sum(views) AS views, 0 AS visits FROM pageview WHERE node = ?1 AND day BETWEEN ?2 AND ?3 GROUP BY day
			UNION ALL SELECT day, 0, visits FROM visit WHERE node = ?1 AND day BETWEEN ?2 AND ?3)
		GROUP BY day ORDER BY day`, []any{paper, from, to}, func(scan func(...any) error) error {
		var d store.DayHits
		err := scan(&d.Day, &d.Views, &d.Visits)
		days = append(days, d)
		return err
	})
	return days, err
}

func (t *tx) AddHits(tenant int64, hits []store.Hits) error {
	t.checkTenant(tenant)
	for _, h := range hits {
		switch _, err := t.Node(tenant, h.Paper); {
		case store.IsNotFound(err):
			continue
		case err != nil:
			return err
		}
		if h.Visits > 0 {
			err := t.change(`INSERT INTO visit (node, day, visits) VALUES (?, ?, ?)
				ON CONFLICT (node, day) DO UPDATE SET visits = visits + excluded.visits`, h.Paper, h.Day, h.Visits)
			if err != nil {
				return err
			}
		}
		for page, views := range h.Views {
			err := t.change(`INSERT INTO pageview (node, day, page, views) VALUES (?, ?, ?, ?)
				ON CONFLICT (node, day, page) DO UPDATE SET views = views + excluded.views`, h.Paper, h.Day, page, views)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
