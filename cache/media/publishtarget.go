package media

import (
	"paperfs/cache/media/namelock"
	"paperfs/cache/media/tree"
)

// target is where an upload goes.
type target struct {
	dir  *tree.Node
	id   int64  // of dir at the service
	name string // as asked for; the service keeps the spelling of a file it has
	path string // below media/, for people
}

// targetIn is where to upload a file called name in dir; Store.mu must be held.
func targetIn(dir *tree.Node, name string) target {
	return target{dir: dir, id: dir.ID, name: name, path: (&tree.Node{Parent: dir, Name: name}).Path()}
}

// here is the name of a target.
func (at target) here() namelock.Name { return namelock.Of(at.dir.Ino, at.name) }
