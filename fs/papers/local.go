package papers

import (
	"slices"
	"strings"

	"paperfs/cache/media"
	"paperfs/fs/papers/names"
)

// LocalNames lists the files with temporary names in papers/, by path from the mount's
// root.
func (t *Tree) LocalNames() []media.LocalName {
	var list []media.LocalName
	for e, f := range t.temps.all() {
		list = append(list, media.LocalName{Path: t.shownDir(e.Dir) + "/" + e.Name, Kind: media.File, Files: 1, Size: f.content.Size(), Since: f.content.Since()})
	}
	slices.SortFunc(list, func(a, b media.LocalName) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// PathOf is the path of a category or paper from the mount's root.
func (t *Tree) PathOf(id int64) string { return t.shownDir(id) }

// shownDir is the path of a category, a paper, or a tempDir.
func (t *Tree) shownDir(id int64) string {
	if d := t.temps.byNumber(id); d != nil {
		return t.shownDir(d.at.Dir) + "/" + d.at.Name
	}
	if s := t.Catalogue.Peek(); s != nil {
		if p := names.Path(s, id); p != "" {
			return p
		}
	}
	return "by-id/" + decimal(id)
}
