package postgresstore

import (
	"fmt"
	"math/rand/v2"

	"paperfs/remote/service/store"
)

// pending is what a change does once, at its end. If each of many statements updated the same
// row, every later one would have to read through all its versions.
type pending struct {
	tenants map[int64]*tenantUpdate
	dropped []string // content keys
	woken   bool     // there is new work
}

// tenantUpdate is what a change updates in a tenant's row.
type tenantUpdate struct {
	tree, media, editions bool // the tenant's nodes, media, or editions of papers changed
	papers, mediaBytes    int64
}

// updateOf returns the pending update of a tenant, to be added to.
func (t *tx) updateOf(tenant int64) *tenantUpdate {
	if t.pending.tenants == nil {
		t.pending.tenants = map[int64]*tenantUpdate{}
	}
	r := t.pending.tenants[tenant]
	if r == nil {
		r = &tenantUpdate{}
		t.pending.tenants[tenant] = r
	}
	return r
}

// channel is the notification channel for new work.
const channel = "paperfs_work"

// ending returns the statements at the end of a change.
func (t *tx) ending() []statement {
	all := t.takeUpdates()
	if keys := t.pending.dropped; len(keys) > 0 {
		all = append(all, statement{drop, []any{keys}})
	}
	if t.pending.woken {
		all = append(all, statement{`SELECT pg_notify($1, '')`, []any{channel}})
	}
	return all
}

// flush writes the pending updates. Queries for the updated columns call it first.
func (t *tx) flush() error {
	if t.failed != nil {
		return translate(t.ctx, t.failed)
	}
	for _, one := range t.takeUpdates() {
		if err := t.Exec(one.text, one.args...); err != nil {
			return err
		}
	}
	return nil
}

// takeUpdates returns the pending updates as statements and forgets them.
func (t *tx) takeUpdates() (all []statement) {
	tenants := t.pending.tenants
	t.pending.tenants = nil
	for tenant, r := range tenants {
		all = append(all, statement{`UPDATE tenant SET
			tree_version = CASE WHEN $2 THEN $3 ELSE tree_version END, media_version = CASE WHEN $4 THEN $5 ELSE media_version END,
			edition_version = CASE WHEN $6 THEN $7 ELSE edition_version END, papers = papers + $8, media_bytes = media_bytes + $9 WHERE id = $1`,
			[]any{tenant, r.tree, random(), r.media, random(), r.editions, random(), r.papers, r.mediaBytes}})
	}
	return all
}

// random returns a new version or edition.
func random() int64 { return int64(rand.Uint64()) }

// CheckTenant implements records.Tx: the change holds the lock of its tenant only.
func (t *tx) CheckTenant(tenant int64) error {
	if t.tenantID != tenant && t.tenantID != store.AllTenants {
		return t.Fail(fmt.Errorf("a change of tenant %d changes %d", t.tenantID, tenant))
	}
	return nil
}
