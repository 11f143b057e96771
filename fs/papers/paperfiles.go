package papers

import (
	"context"
	"slices"

	"paperfs/fs/papers/generated"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
)

// paperFiles is the content of a paper's directory. The names never change.
type paperFiles struct {
	*Tree
	id int64
}

var paperEntries = slices.Concat(generated.PaperFiles, []virtual.Entry{virtual.FileEntry(names.Source), virtual.FileEntry("job")}, generated.PaperDirs)

func (p paperFiles) List(context.Context) ([]virtual.Entry, error) { return p.shownEntries(), nil }

// shownEntries returns the names in a paper's directory.
func (p paperFiles) shownEntries() []virtual.Entry {
	if !p.hiddenSource.has(p.id) {
		return paperEntries
	}
	var entries []virtual.Entry
	for _, e := range paperEntries {
		if e.Name != names.Source {
			entries = append(entries, e)
		}
	}
	return entries
}

// Fixed implements virtual.Fixed.
func (p paperFiles) Fixed() {}

func (p paperFiles) Find(_ context.Context, name string) (virtual.Node, error) {
	switch name {
	case names.Source:
		return nil, nil // paperDir has it
	case "job":
		return p.job(p.id), nil
	}
	return p.InPaper(p.id, name), nil
}
