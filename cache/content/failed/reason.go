package failed

import (
	"fmt"

	"paperfs/cache/content/tree"
)

// Damaged is the verdict on content of size bytes, of which only have bytes were found in dir.
func Damaged(have, size int64, dir string) tree.Verdict {
	return tree.Partial(fmt.Errorf("%d of its %d bytes were found in %s: the machine lost power before everything reached the disk, or someone changed or removed that file",
		have, size, dir))
}
