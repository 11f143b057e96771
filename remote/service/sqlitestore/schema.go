package sqlitestore

import (
	"embed"
	"fmt"
	"io/fs"

	"paperfs/remote/durable"
	"paperfs/remote/service/store"
)

//go:embed migration/*.sql
var files embed.FS

// migrations returns the migrations, sorted by version.
func migrations() fs.FS {
	dir, err := fs.Sub(files, "migration")
	if err != nil {
		panic(err) // a constant, valid path
	}
	return dir
}

// checkVersion rejects a database of another version, for callers that must not migrate it.
func checkVersion(file string, have int64) error {
	_, want, err := store.Schemas(migrations())
	switch {
	case err != nil:
		return err
	case have > want:
		return &durable.NewerError{File: file, Have: have, Newest: want}
	case have < want:
		return fmt.Errorf("%s has schema version %d and this paperfs works with %d: start the service once with this paperfs, it brings the data up to date", file, have, want)
	}
	return nil
}
