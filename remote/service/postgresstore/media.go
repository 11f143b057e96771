package postgresstore

import (
	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

const fileColumns = `f.id, f.dir, f.name, f.size, f.sha256, f.content`

func scanFile(scan func(...any) error, f *store.File) error {
	var sum []byte
	err := scan(&f.ID, &f.Dir, &f.Name, &f.Size, &sum, &f.Content)
	copy(f.SHA256[:], sum)
	return err
}

func (t *tx) dir(where string, args ...any) (d store.Dir, err error) {
	err = t.row(`SELECT id, parent, name FROM media_dir WHERE `+where, args, &d.ID, &d.Parent, &d.Name)
	return d, err
}

func (t *tx) file(where string, args ...any) (f store.File, err error) {
	err = scanFile(func(into ...any) error {
		return t.row(`SELECT `+fileColumns+` FROM media_file f WHERE `+where, args, into...)
	}, &f)
	return f, err
}

func (t *tx) Dir(tenant, id int64) (store.Dir, error) {
	return t.dir(`id = $1 AND tenant = $2`, id, tenant)
}

func (t *tx) File(tenant, id int64) (store.File, error) {
	return t.file(`id = $1 AND tenant = $2`, id, tenant)
}

func (t *tx) DirByName(tenant, parent int64, name string) (store.Dir, error) {
	return t.dir(`tenant = $1 AND parent = $2 AND folded_name = $3`, tenant, parent, rules.Fold(name))
}

func (t *tx) FileByName(tenant, dir int64, name string) (store.File, error) {
	return t.file(`tenant = $1 AND dir = $2 AND folded_name = $3`, tenant, dir, rules.Fold(name))
}

func (t *tx) Dirs(tenant int64) ([]store.Dir, error) {
	return all(t, `SELECT id, parent, name FROM media_dir WHERE tenant = $1 ORDER BY folded_name`, []any{tenant},
		func(scan func(...any) error, d *store.Dir) error { return scan(&d.ID, &d.Parent, &d.Name) })
}

func (t *tx) Files(tenant int64, dirs []int64, visit func(store.File) error) error {
	return t.each(`SELECT `+fileColumns+` FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (dir, place) JOIN media_file f ON f.tenant = $1 AND f.dir = wanted.dir
		ORDER BY place, f.folded_name`, []any{tenant, nonNil(dirs)}, func(scan func(...any) error) error {
		var f store.File
		if err := scanFile(scan, &f); err != nil {
			return err
		}
		return visit(f)
	})
}

func (t *tx) MediaVersion(tenant int64) (version int64, err error) {
	if err := t.flush(); err != nil {
		return 0, err
	}
	err = t.row(`SELECT media_version FROM tenant WHERE id = $1`, []any{tenant}, &version)
	return version, err
}

func (t *tx) SmallContent(file int64) (data []byte, err error) {
	err = t.row(`SELECT data FROM media_content WHERE file = $1`, []any{file}, &data)
	return data, err
}

func (t *tx) DirEmpty(tenant, id int64) (empty bool, err error) {
	err = t.row(`SELECT NOT EXISTS (SELECT 1 FROM media_dir WHERE tenant = $1 AND parent = $2)
		AND NOT EXISTS (SELECT 1 FROM media_file WHERE tenant = $1 AND dir = $2)`, []any{tenant, id}, &empty)
	return empty, err
}

func (t *tx) ContentKeys(prefix string) ([]string, error) {
	return all(t, `
		SELECT content FROM media_file WHERE content <> '' AND content >= $1 AND content < $2
		UNION SELECT pdf FROM rendition WHERE pdf >= $1 AND pdf < $2
		UNION SELECT images FROM rendition WHERE images >= $1 AND images < $2
		UNION SELECT pdf FROM job_work WHERE pdf >= $1 AND pdf < $2`, []any{prefix, prefix + "\U0010ffff"},
		func(scan func(...any) error, key *string) error { return scan(key) })
}

func (t *tx) AddDir(tenant int64, d store.Dir) (int64, error) {
	if err := t.checkTenant(tenant); err != nil {
		return 0, err
	}
	t.updateOf(tenant).media = true
	return t.insert(`INSERT INTO media_dir (tenant, parent, name, folded_name) VALUES ($1, $2, $3, $4) RETURNING id`, tenant, d.Parent, d.Name, rules.Fold(d.Name))
}

func (t *tx) DeleteDir(id int64) error {
	var tenant int64
	if err := t.row(`DELETE FROM media_dir WHERE id = $1 RETURNING tenant`, []any{id}, &tenant); err != nil {
		return err
	}
	t.updateOf(tenant).media = true
	return t.checkTenant(tenant)
}

func (t *tx) AddFile(tenant int64, f store.File) (int64, error) {
	if err := t.checkTenant(tenant); err != nil {
		return 0, err
	}
	id, err := t.insert(`INSERT INTO media_file (tenant, dir, name, folded_name, size, sha256, content) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
		tenant, f.Dir, f.Name, rules.Fold(f.Name), f.Size, f.SHA256[:], f.Content)
	if err != nil {
		return 0, err
	}
	r := t.updateOf(tenant)
	r.media, r.mediaBytes = true, r.mediaBytes+f.Size
	if f.Small != nil {
		if err := t.setSmall(id, f.Small); err != nil {
			return 0, err
		}
	}
	return id, t.linked(id)
}

// linked changes the edition of the papers that link to a media file, which was added or deleted.
// A media file is never renamed.
func (t *tx) linked(file int64) error {
	return t.exec(`UPDATE edition SET number = $2 WHERE node IN (SELECT node FROM link WHERE file = $1)`, file, random())
}

func (t *tx) SetContent(id int64, f store.File) error {
	var tenant, before int64
	err := t.row(`UPDATE media_file SET size = $2, sha256 = $3, content = $4
		FROM (SELECT id, size FROM media_file WHERE id = $1) was WHERE media_file.id = was.id RETURNING tenant, was.size`,
		[]any{id, f.Size, f.SHA256[:], f.Content}, &tenant, &before)
	if err != nil {
		return err
	}
	r := t.updateOf(tenant)
	r.media, r.mediaBytes = true, r.mediaBytes+f.Size-before
	if f.Small == nil {
		return t.exec(`DELETE FROM media_content WHERE file = $1`, id)
	}
	return t.setSmall(id, f.Small)
}

func (t *tx) setSmall(file int64, data []byte) error {
	return t.change(`INSERT INTO media_content (file, data) VALUES ($1, $2) ON CONFLICT (file) DO UPDATE SET data = excluded.data`, file, data)
}

func (t *tx) DeleteFile(id int64) error {
	var tenant, size int64
	if err := t.row(`DELETE FROM media_file WHERE id = $1 RETURNING tenant, size`, []any{id}, &tenant, &size); err != nil {
		return err
	}
	r := t.updateOf(tenant)
	r.media, r.mediaBytes = true, r.mediaBytes-size
	if err := t.checkTenant(tenant); err != nil {
		return err
	}
	return t.linked(id)
}
