package admin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"paperfs/remote/durable"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/filestore"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// BackupReport counts what a backup did.
type BackupReport struct {
	Copied  int `json:"copied"`  // contents, by copy or hard link
	There   int `json:"there"`   // contents that an earlier backup already had
	Removed int `json:"removed"` // contents that only an earlier backup needed
	// Unknown counts contents that no record names and that no backup is known to have put into
	// dir. They are in its trash.
	Unknown int `json:"unknown"`
	// Missing describes the contents that the service itself has lost.
	Missing []string `json:"missing"`
}

// Backup makes dir a copy of the data directory as of one moment near the end, ready to be
// served. The service may keep running. If dir holds an earlier backup of the same data, Backup
// updates it, but only if nothing else has changed the records in it; otherwise it rejects dir
// and leaves it alone. progress, which may be nil, is called with the number of contents that are
// in dir.
func (m *Admin) Backup(ctx context.Context, dir string, progress func(done, all int)) (report BackupReport, err error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	b, err := m.startBackup(ctx, dir)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, b.lock.Release()) }()
	b.progress = progress
	// The first pass copies most contents, so that changes wait only briefly during the second.
	if err := b.takeAll(ctx); err != nil {
		return b.report, err
	}
	draft := filepath.Join(dir, datadir.DatabaseFile+".new")
	if err := ignoreMissing(os.Remove(draft)); err != nil {
		return b.report, err
	}
	named := map[string]bool{}
	err = m.store.Write(ctx, store.AllTenants, func(tx store.Writer) error { return b.moment(ctx, tx, draft, named) })
	if err != nil {
		return b.report, err
	}
	return b.report, b.finish(draft, named)
}

// backup is a running backup.
type backup struct {
	admin    *Admin
	dir      string
	lock     *durable.Lock
	mark     *backupMark
	put      map[string]bool // keys of contents that this backup or the previous one put there
	env      []byte          // of client.env, at the moment of the records; nil without one
	from, to *filestore.Store
	progress func(done, all int)
	report   BackupReport
}

// startBackup locks dir, which must be new, empty, or an earlier backup.
func (m *Admin) startBackup(ctx context.Context, dir string) (*backup, error) {
	from, err := m.contents()
	if err != nil {
		return nil, err
	}
	id, err := filestore.ID(filepath.Join(m.data, datadir.ContentDir))
	if err != nil {
		return nil, err
	}
	if dir, err = m.backupPlace(dir); err != nil {
		return nil, err
	}
	if _, err := findMark(dir, m.data, id); err != nil { // before the lock creates a file there
		return nil, err
	}
	b := &backup{admin: m, dir: dir, from: from, put: map[string]bool{}}
	if b.lock, err = datadir.Lock(dir); err != nil {
		if _, held := errors.AsType[*datadir.HeldError](err); held {
			err = fmt.Errorf("another backup is writing to %s, or %w", dir, err)
		}
		return nil, err
	}
	if err := b.begin(ctx, id); err != nil {
		return nil, errors.Join(err, b.lock.Release())
	}
	return b, nil
}

// begin examines what an earlier backup left, and opens both contents.
func (b *backup) begin(ctx context.Context, id string) (err error) {
	if b.mark, err = findMark(b.dir, b.admin.data, id); err != nil {
		return err
	}
	if b.mark == nil {
		b.mark = &backupMark{Data: id}
		err = b.mark.write(b.dir)
	} else if err = b.mark.checkUnchanged(b.dir); err == nil {
		err = b.takeOver(ctx)
	}
	if err != nil {
		return err
	}
	from, to := filepath.Join(b.admin.data, datadir.ContentDir), filepath.Join(b.dir, datadir.ContentDir)
	if b.to, err = filestore.Open(to); err != nil {
		return err
	}
	if have, err := filestore.ID(to); err != nil || have == id {
		return err
	}
	return copyFile(filepath.Join(from, "id"), filepath.Join(to, "id"))
}

// takeOver reads what an earlier backup has put there.
func (b *backup) takeOver(ctx context.Context) error {
	database := filepath.Join(b.dir, datadir.DatabaseFile)
	if _, err := os.Stat(database); err != nil {
		return ignoreMissing(err)
	}
	return sqlitestore.Keys(ctx, database, func(key string) { b.put[key] = true })
}

// takeAll copies all existing content. Content that is removed in the meantime is not needed.
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
			b.countCopied(key)
		} else {
			b.report.There++
		}
		b.progress(i+1, len(keys))
	}
	return nil
}

func (b *backup) countCopied(key string) {
	b.put[key] = true
	b.report.Copied++
}

// moment copies the records, and content that was added since takeAll. No record changes while it
// runs, so the content that records name is not removed.
func (b *backup) moment(ctx context.Context, tx store.Reader, draft string, named map[string]bool) error {
	if err := b.admin.snapshot(ctx, draft); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	// A change of the records changes the key in client.env, too.
	var err error
	if b.env, err = os.ReadFile(filepath.Join(b.admin.data, datadir.ClientEnvFile)); ignoreMissing(err) != nil {
		return err
	}
	return tx.Holdings(func(h store.Holding) error {
		named[h.Key] = true
		taken, err := b.to.Take(b.from, h.Key)
		if errors.Is(err, store.ErrNotFound) {
			b.report.Missing = append(b.report.Missing, h.What)
			return nil
		}
		if taken {
			b.countCopied(h.Key)
		}
		return err
	})
}

// replaceClientEnv puts client.env there, once the records are there, or removes the earlier file, whose account is gone.
func (b *backup) replaceClientEnv() error {
	file := filepath.Join(b.dir, datadir.ClientEnvFile)
	if b.env == nil {
		return ignoreMissing(os.Remove(file))
	}
	return replaceFile(file, bytes.NewReader(b.env))
}

// finish moves the new records into place once everything that they name is durable. Then it
// removes what only the old records named.
func (b *backup) finish(draft string, named map[string]bool) error {
	if err := b.to.Sync(); err != nil {
		return err
	}
	database := filepath.Join(b.dir, datadir.DatabaseFile)
	if err := b.announce(database, draft); err != nil {
		return err
	}
	for _, log := range []string{"-wal", "-shm", "-journal"} { // of a backup that was opened
		if err := ignoreMissing(os.Remove(database + log)); err != nil {
			return err
		}
	}
	if err := durable.Rename(draft, database); err != nil {
		return err
	}
	if err := b.replaceClientEnv(); err != nil {
		return err
	}
	return b.to.Entries(func(e filestore.Entry) error {
		switch {
		case named[e.Key]:
			return nil
		case b.put[e.Key]:
			b.report.Removed++
			return b.to.Remove(e.Key)
		}
		b.report.Unknown++
		return b.to.Discard(e.Key)
	})
}

// announce writes into the mark the sums of the old and the new records: a backup that is
// interrupted after this leaves one or the other.
func (b *backup) announce(there, draft string) error {
	b.mark.Databases = nil
	for _, file := range []string{there, draft} {
		sum, err := databaseSum(file)
		if file == there && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		b.mark.Databases = append(b.mark.Databases, sum)
	}
	return b.mark.write(b.dir)
}
