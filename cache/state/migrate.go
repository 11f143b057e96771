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
		panic(err) // a constant, valid path
	}
	return sub
}
