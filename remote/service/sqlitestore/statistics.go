package sqlitestore

import "paperfs/remote/service/store"

func (t *tx) AddHits(tenant int64, hits []store.Hits) error {
	if err := t.CheckTenant(tenant); err != nil {
		return err
	}
	for _, h := range hits {
		switch _, err := t.Node(tenant, h.Paper); {
		case store.IsNotFound(err):
			continue
		case err != nil:
			return err
		}
		if h.Visits > 0 {
			err := t.Change(`INSERT INTO visit (node, day, visits) VALUES (?, ?, ?)
				ON CONFLICT (node, day) DO UPDATE SET visits = visits + excluded.visits`, h.Paper, h.Day, h.Visits)
			if err != nil {
				return err
			}
		}
		for hit, count := range h.Counts {
			into := `INSERT INTO pageview (node, day, page, views) VALUES (?1, ?2, ?3, ?5)
				ON CONFLICT (node, day, page) DO UPDATE SET views = views + excluded.views`
			if hit.Target != "" {
				into = `INSERT INTO click (node, day, page, target, clicks) VALUES (?1, ?2, ?3, ?4, ?5)
					ON CONFLICT (node, day, page, target) DO UPDATE SET clicks = clicks + excluded.clicks`
			}
			if err := t.Change(into, h.Paper, h.Day, hit.Page, hit.Target, count); err != nil {
				return err
			}
		}
	}
	return nil
}
