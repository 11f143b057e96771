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
