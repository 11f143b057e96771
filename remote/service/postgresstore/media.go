package postgresstore

import (
	"fmt"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

func (t *tx) Files(tenant int64, dirs []int64, visit func(store.File) error) error {
	return t.Each(`SELECT `+records.FileColumns+` FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (dir, place) JOIN media_file f ON f.tenant = $1 AND f.dir = wanted.dir
		ORDER BY place, f.folded_name`, []any{tenant, nonNil(dirs)}, func(scan func(...any) error) error {
		f, err := records.ScanFile(scan)
		if err != nil {
			return err
		}
		return visit(f)
	})
}

func (t *tx) MediaVersion(tenant int64) (version int64, err error) {
	if err := t.flush(); err != nil {
		return 0, err
	}
	return t.Queries.MediaVersion(tenant)
}

func (t *tx) AddDir(tenant int64, d store.Dir) (int64, error) {
	t.updateOf(tenant).media = true
	return t.Queries.AddDir(tenant, d)
}

func (t *tx) DeleteDir(id int64, by store.By) error {
	if err := t.KeepDir(id, by); err != nil {
		return err
	}
	var tenant int64
	if err := t.Row(`DELETE FROM media_dir WHERE id = $1 RETURNING tenant`, []any{id}, &tenant); err != nil {
		return err
	}
	t.updateOf(tenant).media = true
	return t.CheckTenant(tenant)
}

func (t *tx) AddFile(tenant int64, f store.File) (int64, error) {
	id, err := t.Queries.AddFile(tenant, f)
	if err != nil {
		return 0, err
	}
	r := t.updateOf(tenant)
	r.media, r.mediaBytes = true, r.mediaBytes+f.Size
	return id, t.linked(tenant, id)
}

// linked changes the edition of the papers that link to a media file, which was added, renamed or
// deleted.
func (t *tx) linked(tenant, file int64) error {
	err := t.Change(`UPDATE edition SET number = $2 WHERE node IN (SELECT node FROM link WHERE file = $1)`, file, random())
	if err == nil {
		t.updateOf(tenant).editions = true
	}
	return store.IgnoreNotFound(err)
}

func (t *tx) SetContent(id int64, f store.File, by store.By) (int64, error) {
	keep, args := "", []any{id}
	if f.Version == 0 {
		f.Version = store.NewVersion()
		keep, args = `WITH past AS (`+records.KeepFile+`) `, records.KeepFileArgs(id, by, nil)
	}
	var tenant, before int64
	err := t.Row(keep+fmt.Sprintf(`UPDATE media_file SET size = $%d, sha256 = $%d, content = $%d, version = $%d
		FROM (SELECT id, size FROM media_file WHERE id = $1) was WHERE media_file.id = was.id RETURNING tenant, was.size`, len(args)+1, len(args)+2, len(args)+3, len(args)+4),
		append(args, f.Size, f.SHA256[:], f.Content, f.Version), &tenant, &before)
	if err != nil {
		return 0, err
	}
	r := t.updateOf(tenant)
	r.media, r.mediaBytes = true, r.mediaBytes+f.Size-before
	return f.Version, t.SetSmall(id, f.Small)
}

func (t *tx) MoveDir(id, parent int64, name string) (int64, error) {
	version := store.NewVersion()
	var tenant int64
	if err := t.Row(records.MoveDir+` RETURNING tenant`, []any{id, parent, name, rules.Fold(name), version}, &tenant); err != nil {
		return 0, err
	}
	t.updateOf(tenant).media = true
	return version, t.CheckTenant(tenant)
}

func (t *tx) MoveFile(id, dir int64, name string) (int64, error) {
	version := store.NewVersion()
	var tenant int64
	var renamed bool
	err := t.Row(records.MoveFile+` RETURNING tenant, (SELECT was.name <> media_file.name FROM media_file was WHERE was.id = media_file.id)`,
		[]any{id, dir, name, rules.Fold(name), version}, &tenant, &renamed)
	if err != nil {
		return 0, err
	}
	t.updateOf(tenant).media = true
	if err := t.CheckTenant(tenant); err != nil || !renamed {
		return version, err
	}
	return version, t.linked(tenant, id)
}

func (t *tx) DeleteFile(id, became int64, by store.By) error {
	var tenant, size int64
	err := t.Row(`WITH past AS (`+records.KeepFile+`) `+records.EndFile+` RETURNING tenant, size`, records.KeepFileArgs(id, by, &became), &tenant, &size)
	if err != nil {
		return err
	}
	r := t.updateOf(tenant)
	r.media, r.mediaBytes = true, r.mediaBytes-size
	if err := t.CheckTenant(tenant); err != nil {
		return err
	}
	return t.linked(tenant, id)
}
