package sqlitestore

import (
	"context"
	"time"

	"paperfs/remote/service/store"
)

// now is the time by the database's clock, in milliseconds.
const now = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`

// nextWork selects the next work, from the oldest work of each tenant. Where a tenant is
// given, the work is that of others as ClaimOther says.
const nextWork = `
	WITH free AS (
		SELECT job.tenant, min(w.id) AS id FROM job_work w JOIN job ON job.guid = w.job
		WHERE w.lease <= ` + now + ` GROUP BY job.tenant),
	busy AS (
		SELECT job.tenant, count(*) AS count FROM job_work w JOIN job ON job.guid = w.job
		WHERE w.lease > ` + now + ` GROUP BY job.tenant)
	SELECT job.guid, job.tenant, job.node, job.created, job.status, w.pdf, w.pdf_size, w.options, w.attempts
	FROM free JOIN job_work w ON w.id = free.id JOIN job ON job.guid = w.job JOIN tenant ON tenant.id = free.tenant
		LEFT JOIN busy ON busy.tenant = free.tenant
	WHERE ?1 = 0 OR busy.count IS NULL AND tenant.pdf_turn < coalesce((SELECT pdf_turn FROM tenant WHERE id = ?1), 0) + ?2
	ORDER BY coalesce(busy.count, 0), tenant.pdf_turn, w.id LIMIT 1`

func (t *tx) nextWork(tenant int64, used time.Duration) (w store.Work, err error) {
	var created int64
	err = t.Row(nextWork, []any{tenant, used.Milliseconds()}, &w.GUID, &w.Tenant, &w.Paper, &created, &w.Status, &w.PDF, &w.PDFSize, &w.Options, &w.Attempts)
	w.Created = time.Unix(created, 0).UTC()
	return w, err
}

// Claim implements store.Claims.
func (s *Store) Claim(ctx context.Context, owner string, lease time.Duration) (store.Work, error) {
	return s.claim(ctx, owner, lease, 0, 0)
}

// ClaimOther implements store.Claims.
func (s *Store) ClaimOther(ctx context.Context, owner string, lease time.Duration, tenant int64, used time.Duration) (store.Work, error) {
	return s.claim(ctx, owner, lease, tenant, used)
}

// claim takes the next work. If there is no work, it only reads, and does not wait for
// changes.
func (s *Store) claim(ctx context.Context, owner string, lease time.Duration, tenant int64, used time.Duration) (w store.Work, err error) {
	err = s.Read(ctx, func(r store.Reader) error {
		_, err := r.(*tx).nextWork(tenant, used)
		return err
	})
	if err != nil {
		return w, err
	}
	err = s.claims(ctx, func(t *tx) (err error) {
		if w, err = t.nextWork(tenant, used); err != nil {
			return err
		}
		w.Attempts++
		err = t.Change(`UPDATE job_work SET owner = ?, lease = `+now+` + ?, attempts = ? WHERE job = ?`, owner, lease.Milliseconds(), w.Attempts, w.GUID)
		if err != nil {
			return err
		}
		if err := t.Change(`UPDATE job SET progress = 0 WHERE guid = ?`, w.GUID); err != nil {
			return err
		}
		return t.Change(`UPDATE tenant SET pdf_turn = max(pdf_turn, (SELECT max(pdf_turn) FROM tenant) - ?) + 1 WHERE id = ?`, store.TurnCredit.Milliseconds(), w.Tenant)
	})
	return w, err
}

// Renew implements store.Claims.
func (s *Store) Renew(ctx context.Context, guid, owner string, progress int, lease time.Duration) error {
	return s.claims(ctx, func(t *tx) error {
		err := t.Change(`UPDATE job_work SET lease = `+now+` + ? WHERE job = ? AND owner = ?`, lease.Milliseconds(), guid, owner)
		if err != nil {
			return err
		}
		return t.Change(`UPDATE job SET progress = ? WHERE guid = ?`, progress, guid)
	})
}

// Release implements store.Claims.
func (s *Store) Release(ctx context.Context, guid, owner string, attempts int) error {
	return s.claims(ctx, func(t *tx) error {
		return t.Change(`UPDATE job_work SET owner = '', lease = 0, attempts = ? WHERE job = ? AND owner = ?`, attempts, guid, owner)
	})
}

// Abandon implements store.Claims.
func (s *Store) Abandon(ctx context.Context, owner string) error {
	return s.claims(ctx, func(t *tx) error {
		return t.Exec(`UPDATE job_work SET owner = '', lease = 0 WHERE owner = ?`, owner)
	})
}

// ClaimWebhooks implements store.Claims: one process serves the data.
func (s *Store) ClaimWebhooks(ctx context.Context, _ string, _ time.Duration) (all []int64, err error) {
	err = s.Read(ctx, func(r store.Reader) error {
		all, err = r.(*tx).AllWebhooks()
		return err
	})
	return all, err
}

// claims runs a change of work, independent of any Write.
func (s *Store) claims(ctx context.Context, f func(*tx) error) error {
	return s.change(ctx, func(ctx context.Context, c *conn) error {
		return f(newTx(&tx{ctx: ctx, conn: c, scanPages: s.ScanPages.Load(), tenantID: store.AllTenants}))
	})
}
