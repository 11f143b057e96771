package postgresstore

import (
	"fmt"
	"math/rand/v2"

	"paperfs/remote/service/store"
)

// pending is what a change does once, at its end: a row that each of many statements
// changed would be read through all its forms again and again.
type pending struct {
	tenants map[int64]*raised
	dropped []string // keys of contents
	woken   bool     // there is work
}

// raised is what a change raises of a tenant.
type raised struct {
	tree, media        bool // its nodes changed, its media
	papers, mediaBytes int64
}

// raise notes what changed of a tenant.
func (t *tx) raise(tenant int64) *raised {
	if t.pending.tenants == nil {
		t.pending.tenants = map[int64]*raised{}
	}
	r := t.pending.tenants[tenant]
	if r == nil {
		r = &raised{}
		t.pending.tenants[tenant] = r
	}
	return r
}

// channel is where it is told that there may be work.
const channel = "paperfs_work"

// ending is what a change does at its end.
func (t *tx) ending() []statement {
	all := t.raises()
	if keys := t.pending.dropped; len(keys) > 0 {
		all = append(all, statement{drop, []any{keys}})
	}
	if t.pending.woken {
		all = append(all, statement{`SELECT pg_notify($1, '')`, []any{channel}})
	}
	return all
}

// flush raises what a change raises. A change that asks for it does so before.
func (t *tx) flush() error {
	if t.failed != nil {
		return translate(t.ctx, t.failed)
	}
	for _, one := range t.raises() {
		if err := t.exec(one.text, one.args...); err != nil {
			return err
		}
	}
	return nil
}

// raises takes what is to be raised.
func (t *tx) raises() (all []statement) {
	tenants := t.pending.tenants
	t.pending.tenants = nil
	for tenant, r := range tenants {
		all = append(all, statement{`UPDATE tenant SET
			tree_version = CASE WHEN $2 THEN $3 ELSE tree_version END, media_version = CASE WHEN $4 THEN $5 ELSE media_version END,
			papers = papers + $6, media_bytes = media_bytes + $7 WHERE id = $1`,
			[]any{tenant, r.tree, random(), r.media, random(), r.papers, r.mediaBytes}})
	}
	return all
}

// random is a new version or edition.
func random() int64 { return int64(rand.Uint64()) }

// of holds a change to its tenant, whose lock it has.
func (t *tx) of(tenant int64) error {
	if t.tenantID != tenant && t.tenantID != store.AllTenants {
		return t.fail(fmt.Errorf("a change of tenant %d changes %d", t.tenantID, tenant))
	}
	return nil
}
