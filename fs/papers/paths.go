package papers

import (
	"strings"

	"paperfs/fs/papers/names"
)

// target is a relative link to a node from a directory that many levels below
// the mount's root. What the catalogue does not have is reached by its id.
func (t *Tree) target(levels int, id int64, below string) string {
	up := strings.Repeat("../", levels)
	if s := t.Catalogue.Peek(); s != nil {
		if p := names.Path(s, id); p != "" {
			return up + p + below
		}
	}
	return up + "by-id/" + decimal(id) + below
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
