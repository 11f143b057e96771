package records

import (
	"paperfs/remote"
	"paperfs/remote/service/store"
)

// Belongings implements store.TenantReader.
func (q Queries) Belongings(tenant int64) (b store.Belongings, err error) {
	err = q.tx.Row(`SELECT
		(SELECT count(*) FROM account WHERE tenant = $1),
		(SELECT count(*) FROM node WHERE tenant = $1 AND kind = $2 AND parent IS NOT NULL),
		(SELECT count(*) FROM node WHERE tenant = $1 AND kind = $3),
		(SELECT count(*) FROM media_dir WHERE tenant = $1),
		(SELECT count(*) FROM media_file WHERE tenant = $1),
		(SELECT CAST(coalesce(sum(size), 0) AS bigint) FROM media_file WHERE tenant = $1),
		(SELECT count(*) FROM purchase WHERE tenant = $1),
		(SELECT count(*) FROM job WHERE tenant = $1),
		(SELECT count(*) FROM custom_field WHERE tenant = $1)`, []any{tenant, remote.CategoryNode, remote.PaperNode},
		&b.Accounts, &b.Categories, &b.Papers, &b.Dirs, &b.Files, &b.MediaBytes, &b.Orders, &b.Jobs, &b.Fields)
	return b, err
}

// TenantContent implements store.TenantReader.
func (q Queries) TenantContent(tenant int64, visit func(key string) error) error {
	return q.tx.Each(`
		SELECT content FROM media_file WHERE tenant = $1 AND content <> ''
		UNION ALL SELECT content FROM kept WHERE tenant = $1 AND content <> ''
		UNION ALL SELECT r.pdf FROM rendition r JOIN node ON node.id = r.node WHERE node.tenant = $1
		UNION ALL SELECT r.images FROM rendition r JOIN node ON node.id = r.node WHERE node.tenant = $1
		UNION ALL SELECT r.pdf FROM kept JOIN rendition r ON r.node = thing WHERE kept.tenant = $1 AND kind = 3
		UNION ALL SELECT r.images FROM kept JOIN rendition r ON r.node = thing WHERE kept.tenant = $1 AND kind = 3
		UNION ALL SELECT w.pdf FROM job_work w JOIN job ON job.guid = w.job WHERE job.tenant = $1`, []any{tenant},
		func(scan func(...any) error) error {
			var key string
			if err := scan(&key); err != nil || key == "" {
				return err
			}
			return visit(key)
		})
}

// DeleteTenant implements store.TenantWriter.
func (q Queries) DeleteTenant(id int64) error {
	if err := q.tx.CheckTenant(store.AllTenants); err != nil {
		return err
	}
	if err := q.tx.Exec(`DELETE FROM node WHERE tenant = 0 AND id IN (SELECT thing FROM kept WHERE tenant = $1 AND kind = 3)`, id); err != nil {
		return err
	}
	// ON DELETE CASCADE removes the rest. After each statement no record may refer to a deleted
	// one.
	for _, table := range []string{"job", "purchase", "custom_field", "media_file", "media_dir", "node"} {
		if err := q.tx.Exec(`DELETE FROM `+table+` WHERE tenant = $1`, id); err != nil {
			return err
		}
	}
	return q.tx.Change(`DELETE FROM tenant WHERE id = $1`, id)
}
