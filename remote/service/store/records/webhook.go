package records

import (
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

const webhookColumns = `SELECT id, tenant, url, secret, events, trusted, mark FROM webhook`

func scanWebhook(scan func(...any) error, w *store.Webhook) error {
	var events string
	err := scan(&w.ID, &w.Tenant, &w.URL, &w.Secret, &events, &w.Trusted, &w.Mark)
	w.Events = strings.Split(events, ",")
	return err
}

// Webhooks implements store.WebhookReader.
func (q Queries) Webhooks(tenant int64) ([]store.Webhook, error) {
	return All(q.tx, webhookColumns+` WHERE tenant = $1 ORDER BY id`, []any{tenant}, scanWebhook)
}

// Webhook implements store.WebhookReader.
func (q Queries) Webhook(id int64) (w store.Webhook, err error) {
	err = scanWebhook(func(into ...any) error { return q.tx.Row(webhookColumns+` WHERE id = $1`, []any{id}, into...) }, &w)
	return w, err
}

// AllWebhooks returns the ids of all tenants' webhooks.
func (q Queries) AllWebhooks() ([]int64, error) {
	return All(q.tx, `SELECT id FROM webhook ORDER BY id`, nil, one[int64])
}

// CopiedWebhooks implements store.WebhookReader.
func (q Queries) CopiedWebhooks() (are bool, err error) {
	err = q.tx.Row(`SELECT EXISTS (SELECT 1 FROM webhook WHERE place <> `+q.dialect.LogPlace+`)`, nil, &are)
	return are, err
}

// Told implements store.WebhookReader.
func (q Queries) Told(tenant int64) (time.Time, error) {
	var told *int64
	err := q.tx.Row(`SELECT told FROM tenant WHERE id = $1`, []any{tenant}, &told)
	if err != nil || told == nil {
		return time.Time{}, err
	}
	return time.Unix(*told, 0).UTC(), nil
}

// LogNotices implements store.WebhookReader.
func (q Queries) LogNotices(w store.Webhook, after int64, most int) ([]store.Notice, error) {
	return All(q.tx, `SELECT e.number, e.kind, e.thing, e.name, e.at, coalesce(j.status, ''),
			EXISTS (SELECT 1 FROM webhook_event b WHERE b.webhook = $3 AND b.node = e.thing AND b.aside = 0)
		FROM event e LEFT JOIN job j ON e.kind = 4 AND j.guid = e.name AND j.tenant = $1
		WHERE e.tenant = $1 AND e.number > $2 AND (e.kind IN (1, 4, 5) OR e.kind = 0 AND e.name <> '') ORDER BY e.number LIMIT $4`,
		[]any{w.Tenant, after, w.ID, most}, scanLogNotice)
}

func scanLogNotice(scan func(...any) error, n *store.Notice) error {
	var kind store.EventKind
	var name string
	var at int64
	var status remote.JobStatus
	err := scan(&n.Number, &kind, &n.Node, &name, &at, &status, &n.Behind)
	n.At = time.Unix(at, 0).UTC()
	switch {
	case kind == store.EventJob && status == remote.JobCompleted:
		n.Event, n.Name = store.HookProcessed, name
	case kind == store.EventJob && status == remote.JobFailed:
		n.Event, n.Name = store.HookFailed, name
	case kind == store.EventNode, kind == store.EventSetting:
		n.Event = store.HookChanged
	case kind == 0:
		n.Event, n.Name, _ = strings.Cut(name, " ")
	}
	return err
}

const noticeColumns = `SELECT number, what, node, name, at, tries, since, due, aside, reason FROM webhook_event w WHERE webhook = $1`

func scanNotice(scan func(...any) error, n *store.Notice) error {
	var at, since, due, aside int64
	err := scan(&n.Number, &n.Event, &n.Node, &n.Name, &at, &n.Tries, &since, &due, &aside, &n.Reason)
	n.At, n.Due, n.Aside = time.Unix(at, 0).UTC(), time.Unix(due, 0).UTC(), aside != 0
	if since != 0 {
		n.Since = time.Unix(since, 0).UTC()
	}
	return err
}

// DueNotices implements store.WebhookReader.
func (q Queries) DueNotices(webhook int64, now time.Time, most int) ([]store.Notice, error) {
	return All(q.tx, noticeColumns+` AND aside = 0 AND due <= $2
			AND NOT EXISTS (SELECT 1 FROM webhook_event b WHERE b.webhook = w.webhook AND b.node = w.node AND b.aside = 0 AND b.number < w.number)
		ORDER BY due, number LIMIT $3`, []any{webhook, now.Unix(), most}, scanNotice)
}

// Notices implements store.WebhookReader.
func (q Queries) Notices(webhook int64) ([]store.Notice, error) {
	return All(q.tx, noticeColumns+` ORDER BY number`, []any{webhook}, scanNotice)
}

// AddWebhook implements store.WebhookWriter.
func (q Queries) AddWebhook(w store.Webhook, now time.Time) (int64, error) {
	if err := q.tx.CheckTenant(w.Tenant); err != nil {
		return 0, err
	}
	if err := q.tx.Change(`UPDATE tenant SET told = coalesce(told, $2) WHERE id = $1`, w.Tenant, now.Unix()); err != nil {
		return 0, err
	}
	return q.tx.Insert(`INSERT INTO webhook (tenant, url, secret, events, trusted, place, mark)
		SELECT CAST($1 AS bigint), CAST($2 AS text), CAST($3 AS text), CAST($4 AS text), CAST($5 AS boolean), `+q.dialect.LogPlace+`, coalesce(max(number), 0) FROM event WHERE tenant = $1`,
		w.Tenant, w.URL, w.Secret, strings.Join(w.Events, ","), w.Trusted)
}

// RemoveWebhook implements store.WebhookWriter.
func (q Queries) RemoveWebhook(tenant, id int64) error {
	if err := q.tx.Change(`DELETE FROM webhook WHERE tenant = $1 AND id = $2`, tenant, id); err != nil {
		return err
	}
	return q.tx.Exec(`UPDATE tenant SET told = NULL WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM webhook WHERE tenant = $1)`, tenant)
}

// RenewWebhooks implements store.WebhookWriter.
func (q Queries) RenewWebhooks(now time.Time) error {
	copied := ` FROM webhook WHERE place <> ` + q.dialect.LogPlace + `)`
	err := q.tx.Exec(`DELETE FROM webhook_event WHERE aside = 0 AND webhook IN (SELECT id` + copied)
	if err == nil {
		err = q.tx.Exec(`UPDATE tenant SET told = $1 WHERE id IN (SELECT tenant`+copied, now.Unix())
	}
	if err != nil {
		return err
	}
	return q.tx.Exec(`UPDATE webhook SET place = ` + q.dialect.LogPlace + `, mark = (SELECT coalesce(max(number), 0) FROM event WHERE event.tenant = webhook.tenant) WHERE place <> ` + q.dialect.LogPlace)
}

// TellPeriods implements store.WebhookWriter.
func (q Queries) TellPeriods(tenant int64, now time.Time) error {
	err := q.tx.Exec(`INSERT INTO event (tenant, kind, thing, name, at)
		SELECT CAST($1 AS bigint), 0, crossed.id, crossed.what, crossed.at FROM (
			SELECT id, 'published' AS what, period_from AS at FROM node WHERE tenant = $1 AND period_from <= $2 AND period_from < period_to
			UNION ALL SELECT id, 'unpublished', period_to FROM node WHERE tenant = $1 AND period_to <= $2 AND period_from < period_to) crossed
		WHERE crossed.at > (SELECT told FROM tenant WHERE id = $1) AND EXISTS (SELECT 1 FROM processing WHERE processing.node = crossed.id)
			AND NOT EXISTS (SELECT 1 FROM not_public WHERE not_public.node = crossed.id)
		ORDER BY crossed.at, crossed.id`, tenant, now.Unix())
	if err != nil {
		return err
	}
	return q.tx.Exec(`UPDATE tenant SET told = $2 WHERE id = $1 AND told < $2`, tenant, now.Unix())
}

// ForgetNotices implements store.WebhookWriter.
func (q Queries) ForgetNotices(webhook int64, before time.Time) error {
	return q.tx.Exec(`DELETE FROM webhook_event WHERE webhook = $1 AND due > 0 AND due < $2`, webhook, before.Unix())
}

// MoveMark implements store.WebhookWriter.
func (q Queries) MoveMark(w store.Webhook, to int64) error {
	return q.tx.Change(`UPDATE webhook SET mark = $4 WHERE id = $1 AND tenant = $2 AND mark = $3`, w.ID, w.Tenant, w.Mark, to)
}

// AddNotice implements store.WebhookWriter.
func (q Queries) AddNotice(webhook int64, n store.Notice) error {
	return q.tx.Change(`INSERT INTO webhook_event (webhook, number, what, node, name, at, tries, since, due, aside, reason)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, append([]any{webhook, n.Number, n.Event, n.Node, n.Name, n.At.Unix()}, tried(n)...)...)
}

// tried are the columns that a try changes.
func tried(n store.Notice) []any {
	var since, aside int64
	if !n.Since.IsZero() {
		since = n.Since.Unix()
	}
	if n.Aside {
		aside = 1
	}
	return []any{n.Tries, since, n.Due.Unix(), aside, n.Reason}
}

// ChangeNotice implements store.WebhookWriter.
func (q Queries) ChangeNotice(webhook int64, n store.Notice) error {
	return q.tx.Change(`UPDATE webhook_event SET tries = $3, since = $4, due = $5, aside = $6, reason = $7
		WHERE webhook = $1 AND number = $2 AND tries = $3 - 1`, append([]any{webhook, n.Number}, tried(n)...)...)
}

// DropNotice implements store.WebhookWriter.
func (q Queries) DropNotice(webhook, number int64) error {
	return q.tx.Exec(`DELETE FROM webhook_event WHERE webhook = $1 AND number = $2`, webhook, number)
}

// RetryNotices implements store.WebhookWriter.
func (q Queries) RetryNotices(webhook int64) (count int64, err error) {
	if err = q.tx.Row(`SELECT count(*) FROM webhook_event WHERE webhook = $1`, []any{webhook}, &count); err != nil {
		return 0, err
	}
	return count, q.tx.Exec(`UPDATE webhook_event SET tries = 0, since = 0, due = 0, aside = 0 WHERE webhook = $1`, webhook)
}
