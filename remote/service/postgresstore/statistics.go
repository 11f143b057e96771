package postgresstore

import (
	"paperfs/remote/service/store"
)

func (t *tx) DayHits(paper int64, from, to store.Day) ([]store.DayHits, error) {
	return all(t, `
		SELECT day, sum(views)::bigint, sum(visits)::bigint FROM (
			SELECT day, sum(views) AS views, 0 AS visits FROM pageview WHERE node = $1 AND day BETWEEN $2 AND $3 GROUP BY day
			UNION ALL SELECT day, 0, visits FROM visit WHERE node = $1 AND day BETWEEN $2 AND $3) counted
		GROUP BY day ORDER BY day`, []any{paper, int64(from), int64(to)}, func(scan func(...any) error, d *store.DayHits) error {
		return scan(&d.Day, &d.Views, &d.Visits)
	})
}

// AddHits implements store.StatisticsWriter. It holds the tenant's lock, so no other change can
// remove a paper between the two statements.
func (t *tx) AddHits(tenant int64, hits []store.Hits) error {
	if err := t.checkTenant(tenant); err != nil {
		return err
	}
	var papers, days, visits []int64
	var viewed, viewedOn, pages, views []int64
	for _, h := range hits {
		if h.Visits > 0 {
			papers, days, visits = append(papers, h.Paper), append(days, int64(h.Day)), append(visits, h.Visits)
		}
		for page, count := range h.Views {
			viewed, viewedOn, pages, views = append(viewed, h.Paper), append(viewedOn, int64(h.Day)), append(pages, int64(page)), append(views, count)
		}
	}
	err := t.exec(`
		INSERT INTO visit (node, day, visits)
		SELECT node.id, h.day, h.visits FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS h (paper, day, visits) JOIN node ON node.id = h.paper AND node.tenant = $1
		ON CONFLICT (node, day) DO UPDATE SET visits = visit.visits + excluded.visits`, tenant, nonNil(papers), nonNil(days), nonNil(visits))
	if err != nil {
		return err
	}
	return t.exec(`
		INSERT INTO pageview (node, day, page, views)
		SELECT node.id, h.day, h.page, h.views FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) AS h (paper, day, page, views)
			JOIN node ON node.id = h.paper AND node.tenant = $1
		ON CONFLICT (node, day, page) DO UPDATE SET views = pageview.views + excluded.views`, tenant, nonNil(viewed), nonNil(viewedOn), nonNil(pages), nonNil(views))
}
