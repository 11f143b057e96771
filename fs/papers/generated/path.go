package generated

import (
	"strconv"
	"strings"

	"paperfs/fs/papers/names"
)

// Path is where a category or paper is shown, from the mount's root. What the catalogue does
// not have is reached by its id.
func (g *Nodes) Path(id int64) string {
	if s := g.Catalogue.Peek(); s != nil {
		if p := names.Path(s, id); p != "" {
			return p
		}
	}
	return "by-id/" + decimal(id)
}

// target is a relative link to a node from a directory that many levels below the mount's root.
func (g *Nodes) target(levels int, id int64, below string) string {
	return strings.Repeat("../", levels) + g.Path(id) + below
}

func decimal(id int64) string { return strconv.FormatInt(id, 10) }
