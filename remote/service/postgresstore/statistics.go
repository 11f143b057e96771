package postgresstore

import (
	"paperfs/remote/service/store"
)

// AddHits implements store.StatisticsWriter. It holds the tenant's lock, so no other change can
// remove a paper between the two statements.
func (t *tx) AddHits(tenant int64, hits []store.Hits) error {
	if err := t.CheckTenant(tenant); err != nil {
		return err
	}
	var papers, days, visits []int64
	var viewed, viewedOn, pages, views []int64
	targets := []string{}
	for _, h := range hits {
		if h.Visits > 0 {
			papers, days, visits = append(papers, h.Paper), append(days, int64(h.Day)), append(visits, h.Visits)
		}
		for hit, count := range h.Counts {
			viewed, viewedOn, pages, views = append(viewed, h.Paper), append(viewedOn, int64(h.Day)), append(pages, int64(hit.Page)), append(views, count)
			targets = append(targets, hit.Target)
		}
	}
	err := t.Exec(`
		INSERT INTO visit (node, day, visits)
		SELECT node.id, h.day, h.visits FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS h (paper, day, visits) JOIN node ON node.id = h.paper AND node.tenant = $1
		ON CONFLICT (node, day) DO UPDATE SET visits = visit.visits + excluded.visits`, tenant, nonNil(papers), nonNil(days), nonNil(visits))
	const counted = ` FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[]) AS h (paper, day, page, count, target)
		JOIN node ON node.id = h.paper AND node.tenant = $1 WHERE h.target `
	for _, into := range []string{
		`INSERT INTO pageview (node, day, page, views) SELECT node.id, h.day, h.page, h.count` + counted + `= ''
			ON CONFLICT (node, day, page) DO UPDATE SET views = pageview.views + excluded.views`,
		`INSERT INTO click (node, day, page, target, clicks) SELECT node.id, h.day, h.page, h.target, h.count` + counted + `<> ''
			ON CONFLICT (node, day, page, target) DO UPDATE SET clicks = click.clicks + excluded.clicks`} {
		if err == nil {
			err = t.Exec(into, tenant, nonNil(viewed), nonNil(viewedOn), nonNil(pages), nonNil(views), targets)
		}
	}
	return err
}
