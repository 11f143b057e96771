package papers

import (
	"slices"
	"strings"

	"paperfs/cache/catalogue"
)

// path is where a node is shown, from the mount's root and without a leading
// slash: papers/A/B.paper. It is empty for what the catalogue lacks.
func path(s *catalogue.Snapshot, id int64) string {
	var parts []string
	for {
		n, ok := s.WithoutAddress(id)
		switch {
		case !ok:
			return ""
		case n.Parent == 0:
			parts = append(parts, "papers")
			slices.Reverse(parts)
			return strings.Join(parts, "/")
		}
		parts = append(parts, nameOf(s, n))
		id = n.Parent
	}
}

// PathIn is where a category or paper of a snapshot is shown, from the mount's root; "" for none.
func PathIn(s *catalogue.Snapshot, id int64) string { return path(s, id) }

// target is a relative link to a node from a directory that many levels below
// the mount's root. What the catalogue does not have is reached by its id.
func (t *Tree) target(levels int, id int64, below string) string {
	up := strings.Repeat("../", levels)
	if s := t.Catalogue.Peek(); s != nil {
		if p := path(s, id); p != "" {
			return up + p + below
		}
	}
	return up + "by-id/" + decimal(id) + below
}
