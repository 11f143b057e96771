package records

import (
	"time"

	"paperfs/remote/service/store"
)

// KeepPast is the statement that keeps the content of a media file when it is replaced. An empty
// part of the digest stands for no data, in the words of both engines.
const KeepPast = `INSERT INTO media_past (file, version, tenant, size, sha256, content, data, at)
	SELECT f.id, f.version, f.tenant, f.size, f.sha256, f.content, coalesce(c.data, substr(f.sha256, 1, 0)), CAST($2 AS bigint)
	FROM media_file f LEFT JOIN media_content c ON c.file = f.id WHERE f.id = $1`

// PastFile implements store.MediaReader.
func (q Queries) PastFile(tenant, id, version int64) (store.File, error) {
	f := store.File{ID: id, Version: version}
	var sum []byte
	err := q.tx.Row(`SELECT size, sha256, content, data FROM media_past WHERE file = $1 AND version = $2 AND tenant = $3`, []any{id, version, tenant},
		&f.Size, &sum, &f.Content, &f.Small)
	copy(f.SHA256[:], sum)
	return f, err
}

// PastTenants implements store.MediaReader.
func (q Queries) PastTenants(before time.Time) ([]int64, error) {
	return All(q.tx, `SELECT id FROM tenant WHERE EXISTS (SELECT 1 FROM media_past p WHERE p.tenant = tenant.id AND at < $1) ORDER BY id`, []any{before.Unix()}, one[int64])
}

// pastBatch is the most versions that one change forgets.
const pastBatch = 2000

// ForgetPast implements store.MediaWriter.
func (q Queries) ForgetPast(tenant int64, before time.Time) ([]string, error) {
	if err := q.tx.CheckTenant(tenant); err != nil {
		return nil, err
	}
	return All(q.tx, `DELETE FROM media_past WHERE (file, version) IN (SELECT file, version FROM media_past WHERE tenant = $1 AND at < $2 ORDER BY at LIMIT $3) RETURNING content`,
		[]any{tenant, before.Unix(), pastBatch}, one[string])
}
