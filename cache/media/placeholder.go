package media

import (
	"fmt"
	"time"

	"paperfs/cache/media/localname"
	"paperfs/cache/media/tree"
)

// longestDownload is how long after its last write the part of a download holds the name back that it
// is to get: what a browser left when it crashed holds it for no longer.
const longestDownload = 10 * time.Minute

// downloadLocked is why an empty file is not sent yet, nil where it is: Firefox makes it for as long as the
// download takes, and removes it where the user cancels that, which would need --allow-delete. s.mu must be
// held.
func (s *Store) downloadLocked(n *tree.Node) error {
	if n.Kind != File || n.Size > 0 || n.Parent == nil {
		return nil
	}
	for name, part := range n.Parent.Children {
		if part.Local() && localname.IsPart(name, n.Name) && s.o.Now().Sub(part.Mtime.Time()).Abs() < longestDownload {
			return fmt.Errorf("it is empty, and is sent when its download (%s) has ended", name)
		}
	}
	return nil
}
