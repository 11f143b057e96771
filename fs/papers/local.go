package papers

import (
	"slices"
	"strings"

	"paperfs/cache/media"
)

// LocalNames lists the files with temporary names in papers/, by path from the mount's
// root.
func (t *Tree) LocalNames() []media.LocalName {
	var list []media.LocalName
	for e, f := range t.temps.all() {
		list = append(list, media.LocalName{Path: t.shownDir(e.dir) + "/" + e.name, Kind: media.File, Files: 1, Size: f.content.draft.Size(), Since: f.content.at()})
	}
	slices.SortFunc(list, func(a, b media.LocalName) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// shownDir is the path of a category, a paper, or a tempDir.
func (t *Tree) shownDir(id int64) string {
	if d := t.temps.byNumber(id); d != nil {
		return t.shownDir(d.at.dir) + "/" + d.at.name
	}
	if s := t.Catalogue.Peek(); s != nil {
		if p := path(s, id); p != "" {
			return p
		}
	}
	return "by-id/" + decimal(id)
}
