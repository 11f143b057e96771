package papers

import (
	"context"

	"paperfs/fs/virtual"
	"paperfs/remote"
)

// hidden are the directories of a category that are never listed.
func (c *category) hidden(name string) virtual.Source {
	switch name {
	case ".category":
		return categoryFiles{c.Tree, c.nodeID()}
	case ".search":
		return searches{c.Tree, c.nodeID(), remote.CategoryNode}
	}
	return nil
}

// categoryFiles is the inside of .category.
type categoryFiles struct {
	*Tree
	id int64
}

func (c categoryFiles) List(context.Context) ([]virtual.Entry, error) {
	return []virtual.Entry{asFile("id"), asFile("url"), asDir("settings")}, nil
}

// Fixed implements virtual.Fixed.
func (c categoryFiles) Fixed() {}

func (c categoryFiles) Find(_ context.Context, name string) (virtual.Node, error) {
	return c.common(c.id, name), nil
}

// common are the names that papers and categories both have.
func (t *Tree) common(id int64, name string) virtual.Node {
	switch name {
	case "id":
		v := t.value(id, func(context.Context) (string, error) { return decimal(id), nil }, nil)
		v.Known = func() (string, bool) { return decimal(id), true }
		return v
	case "url":
		return t.url(id)
	case "settings":
		return t.dir(id, t.settings(id))
	}
	return nil
}
