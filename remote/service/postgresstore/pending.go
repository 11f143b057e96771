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

// finish does what is pending, at the end of a change.
func (t *tx) finish() error {
	if err := t.flush(); err != nil {
		return err
	}
	if len(t.pending.dropped) > 0 {
		if err := t.drop(t.pending.dropped); err != nil {
			return err
		}
	}
	if t.pending.woken {
		return t.exec(`SELECT pg_notify($1, '')`, channel)
	}
	return nil
}

// flush raises what a change raises. A change that asks for it does so before.
func (t *tx) flush() error {
	if t.failed != nil {
		return translate(t.ctx, t.failed)
	}
	tenants := t.pending.tenants
	t.pending.tenants = nil
	for tenant, r := range tenants {
		err := t.exec(`UPDATE tenant SET
			tree_version = CASE WHEN $2 THEN $3 ELSE tree_version END, media_version = CASE WHEN $4 THEN $5 ELSE media_version END,
			papers = papers + $6, media_bytes = media_bytes + $7 WHERE id = $1`,
			tenant, r.tree, random(), r.media, random(), r.papers, r.mediaBytes)
		if err != nil {
			return err
		}
	}
	return nil
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
