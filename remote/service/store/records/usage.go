package records

import (
	"time"

	"paperfs/remote/service/store"
)

// MonthOf returns the month of a time, as pdf_time names it.
func MonthOf(t time.Time) string { return t.UTC().Format("2006-01") }

// Usage implements store.UsageReader.
func (q Queries) Usage(tenant int64, month time.Time) (u store.Usage, err error) {
	var ms int64
	err = q.tx.Row(`SELECT media_bytes, papers, coalesce((SELECT ms FROM pdf_time WHERE pdf_time.tenant = tenant.id AND month = $2), 0) FROM tenant WHERE id = $1`,
		[]any{tenant, MonthOf(month)}, &u.MediaBytes, &u.Papers, &ms)
	u.PDFTime = time.Duration(ms) * time.Millisecond
	return u, err
}

// DayHits implements store.StatisticsReader.
func (q Queries) DayHits(paper int64, from, to store.Day) ([]store.DayHits, error) {
	return All(q.tx, `
		SELECT day, CAST(sum(views) AS bigint), CAST(sum(visits) AS bigint) FROM (
			SELECT day, sum(views) AS views, 0 AS visits FROM pageview WHERE node = $1 AND day BETWEEN $2 AND $3 GROUP BY day
			UNION ALL SELECT day, 0, visits FROM visit WHERE node = $1 AND day BETWEEN $2 AND $3) counted
		GROUP BY day ORDER BY day`, []any{paper, int64(from), int64(to)}, func(scan func(...any) error, d *store.DayHits) error {
		return scan(&d.Day, &d.Views, &d.Visits)
	})
}

// PageHits implements store.StatisticsReader.
func (q Queries) PageHits(paper int64, from, to store.Day) ([]store.PageHits, error) {
	return All(q.tx, `
		SELECT page, target, CAST(sum(views) AS bigint) FROM (
			SELECT page, '' AS target, views FROM pageview WHERE node = $1 AND day BETWEEN $2 AND $3
			UNION ALL SELECT number, '', 0 FROM page WHERE node = $1
			UNION ALL SELECT page, target, clicks FROM click WHERE node = $1 AND day BETWEEN $2 AND $3) counted
		GROUP BY page, target ORDER BY target <> '', page, target`, []any{paper, int64(from), int64(to)}, func(scan func(...any) error, h *store.PageHits) error {
		return scan(&h.Page, &h.Target, &h.Count)
	})
}

// Token implements store.TokenReader.
func (q Queries) Token(token string) (store.Token, error) {
	var found store.Token
	var expires int64
	err := q.tx.Row(`SELECT token, node, expires, ip FROM preview_token WHERE token = $1`, []any{token}, &found.Token, &found.Node, &expires, &found.IP)
	found.Expires = time.Unix(expires, 0).UTC()
	return found, err
}

// AddToken skips expired tokens that a change of another tenant has locked and may be deleting as
// well.
func (q Queries) AddToken(added store.Token, now time.Time) error {
	err := q.tx.Exec(`DELETE FROM preview_token WHERE token IN (SELECT token FROM preview_token WHERE expires < $1`+q.dialect.SkipLocked+`)`, now.Unix())
	if err != nil {
		return err
	}
	return q.tx.Exec(`INSERT INTO preview_token (token, node, expires, ip) VALUES ($1, $2, $3, $4)`, added.Token, added.Node, added.Expires.Unix(), added.IP)
}
