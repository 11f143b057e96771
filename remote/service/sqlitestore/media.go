package sqlitestore

import (
	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

func (t *tx) files(tenant, dir int64, visit func(store.File) error) error {
	return t.Each(`SELECT `+records.FileColumns+` FROM media_file f WHERE tenant = ? AND dir = ? ORDER BY folded_name`, []any{tenant, dir},
		func(scan func(...any) error) error {
			f, err := records.ScanFile(scan)
			if err != nil {
				return err
			}
			return visit(f)
		})
}

func (t *tx) DeleteDir(id int64, by store.By) error {
	if err := t.KeepDir(id, by); err != nil {
		return err
	}
	return t.Change(`DELETE FROM media_dir WHERE id = ?`, id)
}

func (t *tx) SetContent(id int64, f store.File, by store.By) (int64, error) {
	if f.Version == 0 {
		f.Version = store.NewVersion()
		if err := t.Exec(records.KeepFile, records.KeepFileArgs(id, by, nil)...); err != nil {
			return 0, err
		}
	}
	err := t.Change(`UPDATE media_file SET size = ?, sha256 = ?, content = ?, version = ? WHERE id = ?`, f.Size, f.SHA256[:], f.Content, f.Version, id)
	if err != nil {
		return 0, err
	}
	return f.Version, t.SetSmall(id, f.Small)
}

func (t *tx) DeleteFile(id, became int64, by store.By) error {
	if err := t.Exec(records.KeepFile, records.KeepFileArgs(id, by, &became)...); err != nil {
		return err
	}
	return t.Change(records.EndFile, id)
}
