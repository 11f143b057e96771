package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"paperfs/remote/service/sqlitestore"
)

// checkKinds rejects a database that is not a file, and content that is not a directory.
func checkKinds(data string) error {
	for _, part := range []struct {
		name, is, ought string
		wrong           func(fs.FileMode) bool
	}{
		{DatabaseFile, "directory", "the database has to be a file", fs.FileMode.IsDir},
		{ContentDir, "file", "content has to be a directory", fs.FileMode.IsRegular},
	} {
		path := filepath.Join(data, part.name)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if part.wrong(info.Mode()) {
			return &ForeignDataError{
				Why:    fmt.Sprintf("%s is a %s, where %s", path, part.is, part.ought),
				Advice: fmt.Sprintf("Move it away, and restore %s and %s together, as paperfs admin backup copies them", DatabaseFile, ContentDir),
			}
		}
	}
	return nil
}

// ExplainDamage returns advice for a database that SQLite finds damaged, and other errors
// unchanged.
func ExplainDamage(data string, err error) error {
	if !sqlitestore.Damaged(err) {
		return err
	}
	return &ForeignDataError{
		Why:    fmt.Sprintf("%s is damaged: SQLite cannot read it", filepath.Join(data, DatabaseFile)),
		Advice: fmt.Sprintf("Restore it together with %s (paperfs admin backup makes such a copy)", ContentDir),
	}
}
