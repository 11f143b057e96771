package store

import (
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Schemas returns the first and the newest schema version of the migrations. The first one stands for all before.
func Schemas(migrations fs.FS) (first, newest int64, err error) {
	files, err := fs.ReadDir(migrations, ".") // by name
	if err != nil {
		return 0, 0, err
	}
	if first, err = goose.NumericComponent(files[0].Name()); err == nil {
		newest, err = goose.NumericComponent(files[len(files)-1].Name())
	}
	return first, newest, err
}
