package generated

import (
	"context"

	"paperfs/fs/virtual"
	"paperfs/remote"
)

// Hidden returns a directory of a category that is never listed, or nil for any other
// name.
func (g *Nodes) Hidden(id int64, name string) virtual.Source {
	switch name {
	case ".category":
		return categoryFiles{g, id}
	case ".search":
		return searches{g, id, remote.CategoryNode}
	}
	return nil
}

// categoryFiles is the content of .category.
type categoryFiles struct {
	*Nodes
	id int64
}

func (c categoryFiles) List(context.Context) ([]virtual.Entry, error) {
	return []virtual.Entry{virtual.FileEntry("id"), virtual.FileEntry("url"), virtual.DirEntry("settings")}, nil
}

// Fixed implements virtual.Fixed.
func (c categoryFiles) Fixed() {}

func (c categoryFiles) Find(_ context.Context, name string) (virtual.Node, error) {
	return c.common(c.id, name), nil
}
