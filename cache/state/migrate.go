package state

import (
	"embed"
	"io/fs"
)

//go:embed migration/*.sql
var migrationFiles embed.FS

func migrations() fs.FS {
	sub, err := fs.Sub(migrationFiles, "migration")
	if err != nil {
		panic(err) // cannot happen: the path is constant and valid
	}
	return sub
}
