package store

import (
	"io/fs"

	"github.com/pressly/goose/v3"
)

// NewestSchema returns the newest schema version of the migrations.
func NewestSchema(migrations fs.FS) (int64, error) {
	files, err := fs.ReadDir(migrations, ".") // by name
	if err != nil {
		return 0, err
	}
	return goose.NumericComponent(files[len(files)-1].Name())
}
