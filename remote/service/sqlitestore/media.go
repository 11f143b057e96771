package sqlitestore

import (
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

func scanDir(scan func(...any) error) (store.Dir, error) {
	var d store.Dir
	err := scan(&d.ID, &d.Parent, &d.Name)
	return d, translate(err)
}

const fileColumns = `id, dir, name, size, sha256, content`

func scanFile(scan func(...any) error) (store.File, error) {
	var f store.File
	var sum []byte
	err := scan(&f.ID, &f.Dir, &f.Name, &f.Size, &sum, &f.Content)
	copy(f.SHA256[:], sum)
	return f, translate(err)
}

func (t *tx) Dir(tenant, id int64) (store.Dir, error) {
	return scanDir(t.QueryRowContext(t.ctx, `SELECT id, parent, name FROM media_dir WHERE id = ? AND tenant = ?`, id, tenant).Scan)
}

func (t *tx) File(tenant, id int64) (store.File, error) {
	return scanFile(t.QueryRowContext(t.ctx, `SELECT `+fileColumns+` FROM media_file WHERE id = ? AND tenant = ?`, id, tenant).Scan)
}

func (t *tx) DirByName(tenant, parent int64, name string) (store.Dir, error) {
	return scanDir(t.QueryRowContext(t.ctx, `SELECT id, parent, name FROM media_dir WHERE tenant = ? AND parent = ? AND folded_name = ?`,
		tenant, parent, rules.Fold(name)).Scan)
}

func (t *tx) FileByName(tenant, dir int64, name string) (store.File, error) {
	return scanFile(t.QueryRowContext(t.ctx, `SELECT `+fileColumns+` FROM media_file WHERE tenant = ? AND dir = ? AND folded_name = ?`,
		tenant, dir, rules.Fold(name)).Scan)
}

func (t *tx) Dirs(tenant int64) ([]store.Dir, error) {
	var all []store.Dir
	err := t.each(`SELECT id, parent, name FROM media_dir WHERE tenant = ? ORDER BY folded_name`, []any{tenant}, func(scan func(...any) error) error {
		d, err := scanDir(scan)
		all = append(all, d)
		return err
	})
	return all, err
}

func (t *tx) files(tenant, dir int64, visit func(store.File) error) error {
	return t.each(`SELECT `+fileColumns+` FROM media_file WHERE tenant = ? AND dir = ? ORDER BY folded_name`, []any{tenant, dir},
		func(scan func(...any) error) error {
			f, err := scanFile(scan)
			if err != nil {
				return err
			}
			return visit(f)
		})
}

func (t *tx) MediaVersion(tenant int64) (version int64, err error) {
	err = t.row(`SELECT media_version FROM tenant WHERE id = ?`, []any{tenant}, &version)
	return version, err
}

func (t *tx) SmallContent(file int64) (data []byte, err error) {
	err = t.row(`SELECT data FROM media_content WHERE file = ?`, []any{file}, &data)
	return data, err
}

func (t *tx) DirEmpty(tenant, id int64) (empty bool, err error) {
	err = t.row(`SELECT NOT EXISTS (SELECT 1 FROM media_dir WHERE tenant = ?1 AND parent = ?2)
		AND NOT EXISTS (SELECT 1 FROM media_file WHERE tenant = ?1 AND dir = ?2)`, []any{tenant, id}, &empty)
	return empty, err
}

func (t *tx) ContentKeys(prefix string) ([]string, error) {
	var keys []string
	err := t.each(`
		SELECT content FROM media_file WHERE content <> '' AND content >= ?1 AND content < ?2
		UNION SELECT pdf FROM rendition WHERE pdf >= ?1 AND pdf < ?2
		UNION SELECT images FROM rendition WHERE images >= ?1 AND images < ?2
		UNION SELECT pdf FROM job_work WHERE pdf >= ?1 AND pdf < ?2`, []any{prefix, prefix + "\U0010ffff"},
		func(scan func(...any) error) error {
			var key string
			err := scan(&key)
			keys = append(keys, key)
			return err
		})
	return keys, err
}

func (t *tx) AddDir(tenant int64, d store.Dir) (int64, error) {
	t.checkTenant(tenant)
	return t.insert(`INSERT INTO media_dir (tenant, parent, name, folded_name) VALUES (?, ?, ?, ?)`, tenant, d.Parent, d.Name, rules.Fold(d.Name))
}

func (t *tx) DeleteDir(id int64) error {
	return t.change(`DELETE FROM media_dir WHERE id = ?`, id)
}

func (t *tx) AddFile(tenant int64, f store.File) (int64, error) {
	t.checkTenant(tenant)
	id, err := t.insert(`INSERT INTO media_file (tenant, dir, name, folded_name, size, sha256, content) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		tenant, f.Dir, f.Name, rules.Fold(f.Name), f.Size, f.SHA256[:], f.Content)
	if err != nil || f.Small == nil {
		return id, err
	}
	return id, t.setSmall(id, f.Small)
}

func (t *tx) SetContent(id int64, f store.File) error {
	err := t.change(`UPDATE media_file SET size = ?, sha256 = ?, content = ? WHERE id = ?`, f.Size, f.SHA256[:], f.Content, id)
	if err != nil {
		return err
	}
	if f.Small == nil {
		_, err = t.ExecContext(t.ctx, `DELETE FROM media_content WHERE file = ?`, id)
		return translate(err)
	}
	return t.setSmall(id, f.Small)
}

func (t *tx) setSmall(file int64, data []byte) error {
	return t.change(`INSERT INTO media_content (file, data) VALUES (?, ?) ON CONFLICT DO UPDATE SET data = excluded.data`, file, data)
}

func (t *tx) DeleteFile(id int64) error {
	return t.change(`DELETE FROM media_file WHERE id = ?`, id)
}
