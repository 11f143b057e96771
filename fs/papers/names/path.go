package names

import (
	"slices"
	"strings"

	"paperfs/cache/catalogue"
)

// Path returns the path of a node from the mount's root, without a leading slash:
// papers/A/B.paper. It is empty if the catalogue lacks the node.
func Path(s *catalogue.Snapshot, id int64) string {
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
		parts = append(parts, Of(s, n))
		id = n.Parent
	}
}
