package names

import (
	"strings"

	"paperfs/cache/catalogue"
	"paperfs/remote"
)

// IsAnother reports whether a path in papers/ of a PDF now belongs to a different paper
// than the given one, which is 0 if it was never created. Sending the PDF there would
// replace what others have published, or create a paper again that was moved or deleted.
func IsAnother(s *catalogue.Snapshot, place string, paper int64) bool {
	parts := strings.Split(strings.TrimPrefix(place, "papers/"), "/")
	last := len(parts) - 1
	if parts[last] == Source {
		parts = parts[:last]
	} else if beside, ok := PaperOf(parts[last]); ok {
		parts[last] = beside
	} else {
		return false // a temporary name: nothing is sent there
	}
	id := s.Root().ID
	for _, name := range parts {
		n, ok := Find(s, id, name)
		if !ok {
			return paper != 0
		}
		if id = n.ID; n.Kind == remote.PaperNode {
			break
		}
	}
	return id != paper
}
