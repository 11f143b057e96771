package records

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// FileColumns are the columns that ScanFile reads, of media_file f.
const FileColumns = `f.id, f.dir, f.name, f.size, f.sha256, f.content, f.version`

// ScanFile reads FileColumns.
func ScanFile(scan func(...any) error) (f store.File, err error) {
	var sum []byte
	err = scan(&f.ID, &f.Dir, &f.Name, &f.Size, &sum, &f.Content, &f.Version)
	copy(f.SHA256[:], sum)
	return f, err
}

func (q Queries) dir(where string, args ...any) (d store.Dir, err error) {
	err = q.tx.Row(`SELECT id, parent, name, version FROM media_dir WHERE `+where, args, &d.ID, &d.Parent, &d.Name, &d.Version)
	return d, err
}

func (q Queries) file(where string, args ...any) (store.File, error) {
	return ScanFile(func(into ...any) error {
		return q.tx.Row(`SELECT `+FileColumns+` FROM media_file f WHERE `+where, args, into...)
	})
}

// Dir implements store.MediaReader.
func (q Queries) Dir(tenant, id int64) (store.Dir, error) {
	return q.dir(`id = $1 AND tenant = $2`, id, tenant)
}

// File implements store.MediaReader.
func (q Queries) File(tenant, id int64) (store.File, error) {
	return q.file(`id = $1 AND tenant = $2`, id, tenant)
}

// FileOfHost implements store.MediaReader.
func (q Queries) FileOfHost(host string, id int64) (store.File, error) {
	return q.file(`f.tenant = `+idOfHost+` AND f.id = $2`, host, id)
}

// DirByName implements store.MediaReader.
func (q Queries) DirByName(tenant, parent int64, name string) (store.Dir, error) {
	return q.dir(`tenant = $1 AND parent = $2 AND folded_name = $3`, tenant, parent, rules.Fold(name))
}

// FileByName implements store.MediaReader.
func (q Queries) FileByName(tenant, dir int64, name string) (store.File, error) {
	return q.file(`tenant = $1 AND dir = $2 AND folded_name = $3`, tenant, dir, rules.Fold(name))
}

// Dirs implements store.MediaReader.
func (q Queries) Dirs(tenant int64) ([]store.Dir, error) {
	return All(q.tx, `SELECT id, parent, name, version FROM media_dir WHERE tenant = $1 ORDER BY folded_name`, []any{tenant},
		func(scan func(...any) error, d *store.Dir) error { return scan(&d.ID, &d.Parent, &d.Name, &d.Version) })
}

// MediaVersion implements store.MediaReader.
func (q Queries) MediaVersion(tenant int64) (version int64, err error) {
	err = q.tx.Row(`SELECT media_version FROM tenant WHERE id = $1`, []any{tenant}, &version)
	return version, err
}

// DirBelow implements store.MediaReader.
func (q Queries) DirBelow(id, top int64) (below bool, err error) {
	err = q.tx.Row(`WITH RECURSIVE up (at) AS (
			SELECT CAST($1 AS bigint) UNION ALL SELECT media_dir.parent FROM up `+q.dialect.Beside("media_dir", "media_dir.id = at")+`)
		SELECT EXISTS (SELECT 1 FROM up WHERE at = $2)`, []any{id, top}, &below)
	return below, err
}

// SmallContent implements store.MediaReader.
func (q Queries) SmallContent(file int64) (data []byte, err error) {
	var sum []byte
	err = q.tx.Row(`SELECT data, sha256 FROM media_content JOIN media_file ON id = file WHERE file = $1`, []any{file}, &data, &sum)
	if err != nil {
		return nil, err
	}
	return data, intact(data, sum)
}

// intact returns ErrDamaged for small content that has another digest than its record: nobody may get it.
func intact(data, sum []byte) error {
	if is := sha256.Sum256(data); !bytes.Equal(is[:], sum) {
		return fmt.Errorf("%w: small content has the SHA-256 %x, and its record says %x", store.ErrDamaged, is, sum)
	}
	return nil
}

// DirEmpty implements store.MediaReader.
func (q Queries) DirEmpty(tenant, id int64) (empty bool, err error) {
	err = q.tx.Row(`SELECT NOT EXISTS (SELECT 1 FROM media_dir WHERE tenant = $1 AND parent = $2)
		AND NOT EXISTS (SELECT 1 FROM media_file WHERE tenant = $1 AND dir = $2)`, []any{tenant, id}, &empty)
	return empty, err
}

// ContentKeys implements store.MediaReader.
func (q Queries) ContentKeys(prefix string) ([]string, error) {
	return All(q.tx, `
		SELECT content FROM media_file WHERE content <> '' AND content >= $1 AND content < $2
		UNION SELECT content FROM kept WHERE content <> '' AND content >= $1 AND content < $2
		UNION SELECT pdf FROM rendition WHERE pdf >= $1 AND pdf < $2
		UNION SELECT images FROM rendition WHERE images >= $1 AND images < $2
		UNION SELECT pdf FROM job_work WHERE pdf >= $1 AND pdf < $2`, []any{prefix, prefix + "\U0010ffff"}, one[string])
}

// AddDir implements store.MediaWriter.
func (q Queries) AddDir(tenant int64, d store.Dir) (int64, error) {
	if err := q.tx.CheckTenant(tenant); err != nil {
		return 0, err
	}
	args := []any{tenant, d.Parent, d.Name, rules.Fold(d.Name), store.NewVersion()}
	if d.ID != 0 {
		return d.ID, q.tx.Exec(`INSERT INTO media_dir (tenant, parent, name, folded_name, version, id) `+q.dialect.Overriding+` VALUES ($1, $2, $3, $4, $5, $6)`, append(args, d.ID)...)
	}
	return q.tx.Insert(`INSERT INTO media_dir (tenant, parent, name, folded_name, version) VALUES ($1, $2, $3, $4, $5)`, args...)
}

// AddFile implements store.MediaWriter.
func (q Queries) AddFile(tenant int64, f store.File) (int64, error) {
	if err := q.tx.CheckTenant(tenant); err != nil {
		return 0, err
	}
	if f.Version == 0 {
		f.Version = store.NewVersion()
	}
	var since, known *int64
	if f.ID != 0 {
		known = &f.ID
	}
	if !f.Since.IsZero() {
		since = new(f.Since.Unix())
	}
	id, err := q.tx.Insert(`INSERT INTO media_file (tenant, dir, name, folded_name, size, sha256, content, version, id) `+q.dialect.Overriding+` VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
			coalesce(CAST($10 AS bigint), (SELECT max(thing) FROM kept WHERE tenant = $1 AND kind = 1 AND became = 0 AND parent = $2 AND folded_name = $4 AND at >= $9
				AND NOT EXISTS (SELECT 1 FROM media_file f WHERE f.id = thing)), `+q.dialect.NextFile+`))`,
		tenant, f.Dir, f.Name, rules.Fold(f.Name), f.Size, f.SHA256[:], f.Content, f.Version, since, known)
	if err != nil || f.Small == nil {
		return id, err
	}
	return id, q.SetSmall(id, f.Small)
}

// MoveDir implements store.MediaWriter.
func (q Queries) MoveDir(id, parent int64, name string) (int64, error) {
	version := store.NewVersion()
	return version, q.tx.Change(MoveDir, id, parent, name, rules.Fold(name), version)
}

// MoveFile implements store.MediaWriter.
func (q Queries) MoveFile(id, dir int64, name string) (int64, error) {
	version := store.NewVersion()
	return version, q.tx.Change(MoveFile, id, dir, name, rules.Fold(name), version)
}

// Statements of store.MediaWriter.
const (
	MoveDir  = `UPDATE media_dir SET parent = $2, name = $3, folded_name = $4, version = $5 WHERE id = $1`
	MoveFile = `UPDATE media_file SET dir = $2, name = $3, folded_name = $4, version = $5 WHERE id = $1`
	EndFile  = `DELETE FROM media_file WHERE id = $1`
)

// SetSmall stores the small content of a media file; nil = the file has none.
func (q Queries) SetSmall(file int64, data []byte) error {
	if data == nil {
		return q.tx.Exec(`DELETE FROM media_content WHERE file = $1`, file)
	}
	return q.tx.Change(`INSERT INTO media_content (file, data) VALUES ($1, $2) ON CONFLICT (file) DO UPDATE SET data = excluded.data`, file, data)
}
