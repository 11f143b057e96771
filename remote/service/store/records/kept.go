package records

import (
	"time"

	"paperfs/remote/service/store"
)

// KeepFile is the statement that keeps a media file, with KeepFileArgs. What became another file takes
// its content with it. An empty part of the digest stands for no data, in the words of both engines.
const KeepFile = `INSERT INTO kept (tenant, kind, thing, parent, name, folded_name, version, at, account, became, holds, size, sha256, content, data)
	SELECT f.tenant, 1, f.id, f.dir, f.name, f.folded_name, f.version, CAST($2 AS bigint), CAST($3 AS text), CAST($4 AS bigint), CAST($5 AS smallint), f.size, f.sha256,
		CASE WHEN $5 = 1 THEN f.content ELSE '' END, coalesce(CASE WHEN $5 = 1 THEN c.data END, substr(f.sha256, 1, 0))
	FROM media_file f LEFT JOIN media_content c ON c.file = f.id WHERE f.id = $1`

// KeepFileArgs are the arguments of KeepFile; became is as in the table.
func KeepFileArgs(id int64, by store.By, became *int64) []any {
	holds := int64(1)
	if became != nil && (by.Nothing || *became != 0) {
		holds = 0
	}
	return []any{id, by.At.Unix(), by.Account, became, holds}
}

// KeepDir keeps a media directory that is deleted.
func (q Queries) KeepDir(id int64, by store.By) error {
	if by.Nothing {
		return nil
	}
	return q.tx.Exec(`INSERT INTO kept (tenant, kind, thing, parent, name, folded_name, version, at, account, became, holds, size, content, data)
		SELECT tenant, 2, id, parent, name, folded_name, version, CAST($2 AS bigint), CAST($3 AS text), 0, 1, 0, '', CAST('' AS `+q.dialect.Bytes+`) FROM media_dir WHERE id = $1`, id, by.At.Unix(), by.Account)
}

// PastFile implements store.KeptReader.
func (q Queries) PastFile(tenant, id, version int64) (store.File, error) {
	f := store.File{ID: id, Version: version}
	var sum []byte
	err := q.tx.Row(`SELECT size, sha256, content, data FROM kept WHERE thing = $1 AND kind = 1 AND version = $2 AND tenant = $3 AND holds = 1 ORDER BY id DESC LIMIT 1`,
		[]any{id, version, tenant}, &f.Size, &sum, &f.Content, &f.Small)
	copy(f.SHA256[:], sum)
	if err == nil && f.Content == "" {
		err = intact(f.Small, sum)
	}
	return f, err
}

// Successor implements store.KeptReader.
func (q Queries) Successor(tenant, id int64) (store.File, error) {
	return q.file(`f.tenant = $2 AND (f.id, f.sha256) = (SELECT became, sha256 FROM kept WHERE thing = $1 AND kind = 1 AND became > 0 ORDER BY id DESC LIMIT 1)`, id, tenant)
}

// KeptBelow implements store.KeptReader.
func (q Queries) KeptBelow(tenant int64, kind store.KeptKind, id int64) (kept bool, err error) {
	err = q.tx.Row(`SELECT EXISTS (SELECT 1 FROM kept WHERE tenant = $1 AND parent = $2 AND (kind = $3 OR kind = 1 AND $3 = 2))`, []any{tenant, id, kind}, &kept)
	return kept, err
}

// KeepingTenants implements store.KeptReader.
func (q Queries) KeepingTenants() ([]int64, error) {
	return All(q.tx, `SELECT id FROM tenant WHERE EXISTS (SELECT 1 FROM kept WHERE kept.tenant = tenant.id) ORDER BY id`, nil, one[int64])
}

// Held implements store.KeptReader.
func (q Queries) Held(tenant int64) (bytes int64, err error) {
	err = q.tx.Row(`SELECT media_bytes + (SELECT CAST(coalesce(sum(pdf_size), 0) AS bigint) FROM rendition JOIN node ON node.id = rendition.node WHERE node.tenant = $1)
		FROM tenant WHERE id = $1`, []any{tenant}, &bytes)
	return bytes, err
}

// KeptBytes implements store.KeptReader.
func (q Queries) KeptBytes(tenant int64) (bytes int64, err error) {
	err = q.tx.Row(`SELECT CAST(coalesce(sum(size), 0) AS bigint) FROM kept WHERE tenant = $1 AND holds = 1`, []any{tenant}, &bytes)
	return bytes, err
}

// outdatedBatch is the most entries that Outdated returns: a change holds up the others of its tenant.
const outdatedBatch = 2000

// keptColumns are the columns that scanKept reads. None is data, which is large. A file was replaced if
// another one has taken up its id. One that "became" itself was deleted, and taken up by another account.
const keptColumns = `kept.id, kind, thing, kept.parent, kept.name, kept.version, at, account,
	became IS NULL OR kind = 1 AND EXISTS (SELECT 1 FROM media_file f WHERE f.id = thing), holds, undone, coalesce(became, 0) = thing, kept.size, kept.sha256, kept.content,
	CASE WHEN kind >= 3 THEN kept.folded_name ELSE '' END, coalesce((SELECT n.kind FROM node n WHERE n.id = thing AND kept.kind = 3), 0)`

func scanKept(scan func(...any) error, k *store.Kept) error {
	var at int64
	var sum []byte
	var holds, undone int
	err := scan(&k.ID, &k.Kind, &k.File.ID, &k.Dir, &k.Name, &k.Version, &at, &k.By.Account, &k.Replaced, &holds, &undone, &k.TakenUp, &k.Size, &sum, &k.Content, &k.URLName, &k.Node)
	copy(k.SHA256[:], sum)
	k.By.At, k.Holds, k.Undone = time.Unix(at, 0).UTC(), holds == 1, undone == 1
	return err
}

// Kept implements store.KeptReader.
func (q Queries) Kept(tenant, entry int64) (k store.Kept, err error) {
	err = scanKept(func(into ...any) error {
		return q.tx.Row(`SELECT `+keptColumns+` FROM kept WHERE id = $1 AND tenant = $2 AND holds = 1`, []any{entry, tenant}, into...)
	}, &k)
	if err == nil && k.Kind == store.KeptFile && k.Content == "" {
		err = q.tx.Row(`SELECT data FROM kept WHERE id = $1`, []any{entry}, &k.Small)
		if err == nil {
			err = intact(k.Small, k.SHA256[:])
		}
		k.Small = append([]byte{}, k.Small...) // never nil
	}
	return k, err
}

// Entries implements store.KeptReader.
func (q Queries) Entries(tenant int64, since time.Time, most int) ([]store.Kept, error) {
	return All(q.tx, `SELECT `+keptColumns+` FROM kept WHERE tenant = $1 AND at >= $2 AND holds = 1 ORDER BY id DESC LIMIT $3`, []any{tenant, since.Unix(), most}, scanKept)
}

// KeptParents implements store.KeptReader.
func (q Queries) KeptParents(tenant int64) ([]store.Kept, error) {
	return All(q.tx, `SELECT `+keptColumns+` FROM kept WHERE tenant = $1 AND kind IN (2, 3) ORDER BY id`, []any{tenant}, scanKept)
}

// Outdated implements store.KeptReader.
func (q Queries) Outdated(tenant int64, o store.Outdated) ([]store.Kept, error) {
	return All(q.tx, `SELECT `+keptColumns+` FROM kept JOIN (SELECT id, sum(holds * size) OVER (ORDER BY id DESC) AS total FROM kept WHERE tenant = $1) counted ON counted.id = kept.id
		WHERE CASE WHEN holds = 1 OR kind IN (2, 3) THEN at < $2 OR total > $3 AND at < $4 ELSE at < $5 END ORDER BY kept.id LIMIT $6`,
		[]any{tenant, o.Before.Unix(), o.Bytes, o.Spared.Unix(), o.Ended.Unix(), outdatedBatch}, scanKept)
}

// Forget implements store.KeptWriter.
func (q Queries) Forget(entry int64) error {
	return q.tx.Change(`DELETE FROM kept WHERE id = $1`, entry)
}

// Undone implements store.KeptWriter.
func (q Queries) Undone(kind store.KeptKind, id, entry int64) error {
	return q.tx.Exec(`UPDATE kept SET undone = 1 WHERE thing = $1 AND kind = $2 AND id >= $3`, id, kind, entry)
}

// NotUndone implements store.KeptWriter.
func (q Queries) NotUndone(key string) error {
	return q.tx.Exec(`UPDATE kept SET undone = 0 WHERE content = $1 AND content <> '' AND kind = 4`, key)
}

// TakenUp implements store.KeptWriter.
func (q Queries) TakenUp(file int64, account string) error {
	return q.tx.Exec(`UPDATE kept SET became = thing WHERE thing = $1 AND kind = 1 AND became = 0 AND account <> $2`, file, account)
}

// Empty implements store.KeptWriter.
func (q Queries) Empty(entry int64) error {
	return q.tx.Change(`UPDATE kept SET holds = 0, content = '', data = coalesce(substr(sha256, 1, 0), data) WHERE id = $1`, entry)
}
