package papers

import (
	"slices"
	"strings"

	"paperfs/cache/media"
)

// LocalNames lists the files with temporary names in papers/, sorted by path from the
// mount's root.
func (t *Tree) LocalNames() []media.LocalName {
	var list []media.LocalName
	for e, f := range t.temps.named() {
		list = append(list, media.LocalName{Path: t.shownDir(e.Dir) + "/" + e.Name, Kind: media.File, Files: 1, Size: f.content.Size(), Since: f.content.Since()})
	}
	slices.SortFunc(list, func(a, b media.LocalName) int { return strings.Compare(a.Path, b.Path) })
	return list
}
