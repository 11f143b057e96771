package service

import (
	"context"
	"fmt"
	"path/filepath"

	"paperfs/remote/service/filestore"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// ForeignDataError is the failure to open a data directory whose content and
// database do not belong together: nothing of it was changed.
type ForeignDataError struct {
	Dir string
	Why string // what is wrong, as the end of a sentence about the directory
}

func (e *ForeignDataError) Error() string {
	return fmt.Sprintf("%s has content, but %s. Nothing was changed. Restore %s together with its content (paperfs admin backup makes such a copy), or move %s away to begin without it",
		e.Dir, e.Why, filepath.Join(e.Dir, databaseFile), filepath.Join(e.Dir, contentDir))
}

// dataIDName names the id that the database has in common with the content.
const dataIDName = "data"

// checkOwnership refuses content without the database that names it. It comes
// before the database is opened, which would make one.
func checkOwnership(ctx context.Context, data string) error {
	content := filepath.Join(data, contentDir)
	holds, err := filestore.Holds(content)
	if err != nil || !holds {
		return err
	}
	id, err := filestore.ID(content)
	if err != nil {
		return err
	}
	setUp, known, err := sqlitestore.Peek(ctx, filepath.Join(data, databaseFile), dataIDName)
	switch {
	case err != nil:
		return err
	case !setUp:
		return &ForeignDataError{data, "its database is missing or empty"}
	case known != nil && string(known) != id:
		return &ForeignDataError{data, "its database belongs to other content"}
	}
	return nil
}

// shareID gives content and database one id where they have none. Content gets
// it first: a database that has one is held to it. Content whose database has
// none is that of an older paperfs.
func (s *Service) shareID(ctx context.Context, files *filestore.Store) error {
	id, err := filestore.ID(filepath.Join(s.options.Data, contentDir))
	if err != nil {
		return err
	}
	var known []byte
	err = s.store.Read(ctx, func(tx store.Reader) (err error) {
		known, err = tx.Secret(dataIDName)
		if isNone(err) {
			err = nil
		}
		return err
	})
	if err != nil || id != "" && string(known) == id {
		return err
	}
	if id == "" {
		if id, err = files.MakeID(); err != nil {
			return err
		}
	}
	return s.store.Write(ctx, func(tx store.Writer) error { return tx.SetSecret(dataIDName, []byte(id)) })
}
