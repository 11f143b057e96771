package records

import (
	"database/sql"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// LastEvent implements store.EventReader.
func (q Queries) LastEvent(tenant int64) (number int64, err error) {
	err = q.tx.Row(`SELECT coalesce(max(number), 0) FROM event WHERE tenant = $1`, []any{tenant}, &number)
	return number, err
}

// told are the rows that Events is about.
const told = ` FROM event WHERE tenant = $1 AND number > $2 AND kind > 0 AND (client = '' OR client <> $3)`

// Events implements store.EventReader.
func (q Queries) Events(tenant, after int64, of store.EventKind, but string, most int) ([]store.Event, error) {
	return All(q.tx, `SELECT e.kind, e.thing, e.name, coalesce(n.id, f.id, d.id, j.node, s.node, k.id) IS NULL,
			coalesce(n.parent, f.dir, d.parent, k.parent, 0), coalesce(n.name, f.name, d.name, k.name, ''), coalesce(n.version, f.version, d.version, k.version, 0),
			coalesce(n.kind, 0), coalesce(n.url_name, ''), n.period_from, n.period_to, coalesce(p.number, 0),
			coalesce((SELECT max(page.number) FROM page WHERE page.node = n.id), 0), coalesce(f.size, 0), f.sha256, coalesce(j.status, ''), last.account,
			EXISTS (SELECT 1 FROM not_public WHERE not_public.node = n.id)
		FROM (SELECT kind, thing, name, max(number) AS number`+told+` AND ($5 = 0 OR kind = $5) GROUP BY kind, thing, name ORDER BY 4 LIMIT $4) e
			JOIN event last ON last.number = e.number
			LEFT JOIN node n ON e.kind = 1 AND n.id = e.thing AND n.tenant = $1
			LEFT JOIN edition p ON e.kind = 1 AND p.node = n.id
			LEFT JOIN media_file f ON e.kind = 2 AND f.id = e.thing AND f.tenant = $1
			LEFT JOIN media_dir d ON e.kind = 3 AND d.id = e.thing AND d.tenant = $1
			LEFT JOIN job j ON e.kind = 4 AND j.guid = e.name AND j.tenant = $1
			LEFT JOIN setting s ON e.kind = 5 AND s.node = e.thing AND s.name = e.name
			LEFT JOIN kept k ON e.kind = 6 AND k.id = e.thing AND k.tenant = $1 AND k.holds = 1
		ORDER BY e.number`, []any{tenant, after, but, most, int64(of)}, readEvent)
}

func readEvent(scan func(...any) error, e *store.Event) error {
	var from, to sql.NullInt64
	var sum []byte
	err := scan(&e.Kind, &e.ID, &e.Of, &e.Gone, &e.Parent, &e.Name, &e.Version, &e.Node, &e.URLName, &from, &to, &e.Edition, &e.Pages, &e.Size, &sum, &e.Status, &e.Account, &e.NotPublic)
	copy(e.SHA256[:], sum)
	if from.Valid && to.Valid {
		e.Period = remote.Period{From: time.Unix(from.Int64, 0).UTC(), To: time.Unix(to.Int64, 0).UTC()}
	}
	return err
}

// EventKinds implements store.EventReader.
func (q Queries) EventKinds(tenant, after int64, but string) ([]store.EventKind, error) {
	return All(q.tx, `SELECT DISTINCT kind`+told+` ORDER BY kind`, []any{tenant, after, but}, one[store.EventKind])
}

// cut are the rows that are too old, but for those that a webhook has yet to be told.
const cut = ` FROM event WHERE at < $1 AND number < (SELECT max(newest.number) FROM event newest WHERE newest.tenant = event.tenant)
	AND NOT EXISTS (SELECT 1 FROM webhook WHERE webhook.tenant = event.tenant AND webhook.mark < event.number)`

// CutLoaded cuts the log after all records were loaded: nobody has a mark in it.
const CutLoaded = `DELETE FROM event WHERE number < (SELECT max(newest.number) FROM event newest WHERE newest.tenant = event.tenant)`

// OldEvents implements store.EventReader.
func (q Queries) OldEvents(before time.Time) ([]int64, error) {
	return All(q.tx, `SELECT DISTINCT tenant`+cut, []any{before.Unix()}, one[int64])
}

// SignEvents implements store.EventWriter.
func (q Queries) SignEvents(tenant, after int64, account, client string) error {
	return q.tx.Exec(`UPDATE event SET account = $3, client = $4 WHERE tenant = $1 AND number > $2`, tenant, after, account, client)
}

// CutEvents implements store.EventWriter.
func (q Queries) CutEvents(tenant int64, before time.Time) error {
	return q.tx.Exec(`DELETE`+cut+` AND tenant = $2`, before.Unix(), tenant)
}
