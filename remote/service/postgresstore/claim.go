package postgresstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"paperfs/remote/service/store"
)

// claim takes the next work. Each piece of a tenant's work counts as under way when the tenant's
// next piece is ranked, so that two concurrent claims take the same work as two successive ones.
// It skips rows that a change or another claim has locked. Where a tenant is given, the work
// is that of others as ClaimOther says.
const claim = `
	WITH busy AS (
		SELECT tenant, count(*) AS count FROM job_work WHERE lease > clock_timestamp() GROUP BY tenant),
	free AS (
		SELECT w.id, w.tenant, row_number() OVER (PARTITION BY w.tenant ORDER BY w.id) + coalesce(busy.count, 0) AS before, coalesce(pdf_turn.turn, 0) AS turn
		FROM job_work w LEFT JOIN busy ON busy.tenant = w.tenant LEFT JOIN pdf_turn ON pdf_turn.tenant = w.tenant
		WHERE w.lease <= clock_timestamp()),
	next AS (
		SELECT w.id FROM free JOIN job_work w ON w.id = free.id WHERE w.lease <= clock_timestamp()
			AND ($3::bigint = 0 OR free.before = 1 AND free.turn < coalesce((SELECT turn FROM pdf_turn WHERE tenant = $3), 0) + $4::bigint)
		ORDER BY free.before, free.turn, w.id LIMIT 1 FOR UPDATE OF w SKIP LOCKED),
	taken AS (
		UPDATE job_work w SET owner = $1, lease = clock_timestamp() + $2::interval, attempts = attempts + 1, progress = 0 FROM next WHERE w.id = next.id RETURNING w.*),
	turned AS (
		INSERT INTO pdf_turn (tenant, turn) SELECT tenant, greatest(0, (SELECT max(turn) FROM pdf_turn) - $5::bigint) + 1 FROM taken
		ON CONFLICT (tenant) DO UPDATE SET turn = greatest(pdf_turn.turn + 1, excluded.turn))
	SELECT job.guid, job.tenant, job.node, job.created, job.status, taken.pdf, taken.pdf_size, taken.options, taken.attempts
	FROM taken JOIN job ON job.guid = taken.job`

// Claim implements store.Claims.
func (s *Store) Claim(ctx context.Context, owner string, lease time.Duration) (store.Work, error) {
	return s.claim(ctx, owner, lease, 0, 0)
}

// ClaimOther implements store.Claims.
func (s *Store) ClaimOther(ctx context.Context, owner string, lease time.Duration, tenant int64, used time.Duration) (store.Work, error) {
	return s.claim(ctx, owner, lease, tenant, used)
}

func (s *Store) claim(ctx context.Context, owner string, lease time.Duration, tenant int64, used time.Duration) (w store.Work, err error) {
	if err := s.Damaged(); err != nil {
		return store.Work{}, err
	}
	var created int64
	err = s.claiming.QueryRow(ctx, claim, owner, lease, tenant, used.Milliseconds(), store.TurnCredit.Milliseconds()).
		Scan(&w.GUID, &w.Tenant, &w.Paper, &created, &w.Status, &w.PDF, &w.PDFSize, &w.Options, &w.Attempts)
	if err == pgx.ErrNoRows {
		return store.Work{}, store.ErrNotFound
	}
	w.Created = time.Unix(created, 0).UTC()
	return w, translate(ctx, err)
}

// held begins a statement about work that an owner holds. free is the same work unless a change
// has locked it. That change ends the work, and may take long: waiting for it would occupy a
// connection that others need. If the change is undone, the lease simply runs out.
const held = `
	WITH held AS (SELECT id FROM job_work WHERE job = $1 AND owner = $2),
	free AS (SELECT id FROM job_work WHERE job = $1 AND owner = $2 FOR UPDATE SKIP LOCKED), `

const renew = held + `
	renewed AS (UPDATE job_work w SET lease = clock_timestamp() + $3::interval, progress = $4 FROM free WHERE w.id = free.id)
	SELECT id FROM held`

const release = held + `
	released AS (UPDATE job_work w SET owner = '', lease = '-infinity', attempts = $3 FROM free WHERE w.id = free.id)
	SELECT id FROM held`

// Renew implements store.Claims.
func (s *Store) Renew(ctx context.Context, guid, owner string, progress int, lease time.Duration) error {
	return s.claimed(ctx, renew, guid, owner, lease, progress)
}

// Release implements store.Claims.
func (s *Store) Release(ctx context.Context, guid, owner string, attempts int) error {
	return s.claimed(ctx, release, guid, owner, attempts)
}

// claimed runs a statement that must find a record; store.ErrNotFound if it finds none.
func (s *Store) claimed(ctx context.Context, query string, args ...any) error {
	if err := s.Damaged(); err != nil {
		return err
	}
	done, err := s.claiming.Exec(ctx, query, args...)
	if err == nil && done.RowsAffected() == 0 {
		return store.ErrNotFound
	}
	return translate(ctx, err)
}

// Abandon implements store.Claims.
func (s *Store) Abandon(ctx context.Context, owner string) error {
	if err := s.Damaged(); err != nil {
		return err
	}
	_, err := s.claiming.Exec(ctx, `UPDATE job_work SET owner = '', lease = '-infinity' WHERE id IN (
		SELECT id FROM job_work WHERE owner = $1 FOR UPDATE SKIP LOCKED)`, owner)
	return translate(ctx, err)
}

// claimWebhooks writes the leases of those that are an owner's, or free.
const claimWebhooks = `
	INSERT INTO webhook_sender AS s (webhook, owner, lease) SELECT id, $1, clock_timestamp() + $2::interval FROM webhook ORDER BY id
	ON CONFLICT (webhook) DO UPDATE SET owner = excluded.owner, lease = excluded.lease WHERE s.owner = excluded.owner OR s.lease <= clock_timestamp()
	RETURNING webhook`

// ClaimWebhooks implements store.Claims.
func (s *Store) ClaimWebhooks(ctx context.Context, owner string, lease time.Duration) ([]int64, error) {
	if err := s.Damaged(); err != nil {
		return nil, err
	}
	rows, err := s.claiming.Query(ctx, claimWebhooks, owner, lease)
	if err != nil {
		return nil, translate(ctx, err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	return all, translate(ctx, err)
}
