package generated

import (
	"strconv"
	"strings"

	"paperfs/fs/papers/names"
)

// Path returns the path of a category or paper from the mount's root. A node that the
// catalogue lacks is reached by its id.
func (g *Nodes) Path(id int64) string {
	if s := g.Catalogue.Peek(); s != nil {
		if p := names.Path(s, id); p != "" {
			return p
		}
	}
	return "by-id/" + decimal(id)
}

// target returns a relative link to a node from a directory that is levels below the
// mount's root.
func (g *Nodes) target(levels int, id int64, below string) string {
	return strings.Repeat("../", levels) + g.Path(id) + below
}

func decimal(id int64) string { return strconv.FormatInt(id, 10) }
