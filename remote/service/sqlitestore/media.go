package sqlitestore

import (
	"time"

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

func (t *tx) DeleteDir(id int64) error {
	return t.Change(`DELETE FROM media_dir WHERE id = ?`, id)
}

func (t *tx) SetContent(id int64, f store.File, at time.Time) (int64, error) {
	if err := t.Exec(records.KeepPast, id, at.Unix()); err != nil {
		return 0, err
	}
	version := store.NewVersion()
	err := t.Change(`UPDATE media_file SET size = ?, sha256 = ?, content = ?, version = ? WHERE id = ?`, f.Size, f.SHA256[:], f.Content, version, id)
	if err != nil {
		return 0, err
	}
	return version, t.SetSmall(id, f.Small)
}

func (t *tx) DeleteFile(id, became int64, at time.Time) error {
	args := records.EndedArgs(id, became, at)
	if err := t.Exec(records.ForgetEnded, args[:2]...); err != nil {
		return err
	}
	if err := t.Exec(records.AddEnded, args...); err != nil {
		return err
	}
	return t.Change(records.EndFile, id)
}
