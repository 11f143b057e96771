package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"paperfs/remote/service/filestore"
	"paperfs/remote/service/store"
)

// BackupReport counts what a backup did.
type BackupReport struct {
	Copied  int `json:"copied"`  // contents, by a copy or a link
	There   int `json:"there"`   // contents that an earlier backup had
	Removed int `json:"removed"` // contents that only an earlier backup needs
	// Missing says of what the service itself has lost the content.
	Missing []string `json:"missing"`
}

// Backup makes dir a copy of the data directory as it is at one moment near
// the end, ready to be served; the service may go on meanwhile. A dir that holds
// an earlier backup of the same data is brought up to date. progress, which may
// be nil, is told how many of the contents are in dir.
func (m *Admin) Backup(ctx context.Context, dir string, progress func(done, all int)) (report BackupReport, err error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	b, err := m.startBackup(dir)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, b.lock.Close()) }()
	b.progress = progress
	// What is there now, so that little is left to do while changes wait.
	if err := b.takeAll(ctx); err != nil {
		return b.report, err
	}
	draft := filepath.Join(dir, databaseFile+".new")
	if err := ignoreMissing(os.Remove(draft)); err != nil {
		return b.report, err
	}
	named := map[string]bool{}
	err = m.store.Write(ctx, func(tx store.Writer) error { return b.moment(ctx, tx, draft, named) })
	if err != nil {
		return b.report, err
	}
	return b.report, b.finish(draft, named)
}

// backup is one under way.
type backup struct {
	admin    *Admin
	dir      string
	lock     *os.File
	from, to *filestore.Store
	progress func(done, all int)
	report   BackupReport
}

// startBackup takes dir, which has to be new, empty, or an earlier backup.
func (m *Admin) startBackup(dir string) (*backup, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := m.checkBackupDir(dir); err != nil {
		return nil, err
	}
	b := &backup{admin: m, dir: dir}
	if b.lock, err = lockData(dir); err != nil {
		return nil, err
	}
	if b.from, err = filestore.Open(filepath.Join(m.data, contentDir)); err == nil {
		b.to, err = filestore.Open(filepath.Join(dir, contentDir))
	}
	if err == nil {
		err = copyFile(filepath.Join(m.data, contentDir, "id"), filepath.Join(dir, contentDir, "id"))
	}
	if err != nil {
		return nil, errors.Join(err, b.lock.Close())
	}
	return b, nil
}

func (m *Admin) checkBackupDir(dir string) error {
	data, err := filepath.Abs(m.data)
	if err != nil {
		return err
	}
	if inside, err := filepath.Rel(data, dir); err == nil && filepath.IsLocal(inside) {
		return fmt.Errorf("%s lies in the data directory: give another for the backup", dir)
	}
	own, err := filestore.ID(filepath.Join(data, contentDir))
	if err != nil {
		return err
	}
	if own == "" {
		return fmt.Errorf("%s was made by an older paperfs: start the service once with this one", data)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return ignoreMissing(err)
	}
	if id, err := filestore.ID(filepath.Join(dir, contentDir)); err != nil || id != own {
		return errors.Join(err, fmt.Errorf("%s holds something else than a backup of %s: give an empty directory", dir, data))
	}
	return nil
}

// takeAll takes all content that there is. What is removed meanwhile is not
// needed.
func (b *backup) takeAll(ctx context.Context) error {
	var keys []string
	if err := b.from.Entries(func(e filestore.Entry) error { keys = append(keys, e.Key); return nil }); err != nil {
		return err
	}
	for i, key := range keys {
		if err := ctx.Err(); err != nil {
			return err
		}
		taken, err := b.to.Take(b.from, key)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if taken {
			b.report.Copied++
		} else {
			b.report.There++
		}
		b.progress(i+1, len(keys))
	}
	return nil
}

// moment copies the records, and content that came meanwhile. No record
// changes while it runs, so that no content that they name is removed.
func (b *backup) moment(ctx context.Context, tx store.Reader, draft string, named map[string]bool) error {
	if err := b.admin.snapshot(ctx, draft); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	return tx.Holdings(func(h store.Holding) error {
		named[h.Key] = true
		taken, err := b.to.Take(b.from, h.Key)
		if errors.Is(err, store.ErrNotFound) {
			b.report.Missing = append(b.report.Missing, h.What)
			return nil
		}
		if taken {
			b.report.Copied++
		}
		return err
	})
}

// finish puts the new records in place once all that they name is durable, and
// then removes what only the old ones named.
func (b *backup) finish(draft string, named map[string]bool) error {
	if _, err := os.Stat(filepath.Join(b.admin.data, clientEnvFile)); err == nil {
		if err := copyFile(filepath.Join(b.admin.data, clientEnvFile), filepath.Join(b.dir, clientEnvFile)); err != nil {
			return err
		}
	}
	if err := b.to.Sync(); err != nil {
		return err
	}
	database := filepath.Join(b.dir, databaseFile)
	for _, log := range []string{"-wal", "-shm"} { // of a backup that was looked into
		if err := ignoreMissing(os.Remove(database + log)); err != nil {
			return err
		}
	}
	if err := errors.Join(os.Rename(draft, database), syncDir(b.dir)); err != nil {
		return err
	}
	return b.to.Entries(func(e filestore.Entry) error {
		if named[e.Key] {
			return nil
		}
		b.report.Removed++
		return b.to.Remove(e.Key)
	})
}

// copyFile copies a small private file durably.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		return errors.Join(err, os.Remove(to+".new")) // what is there already stays
	}
	return os.Rename(to+".new", to)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
