package media

import "paperfs/cache/media/namelock"

// target is where an upload goes.
type target struct {
	dir  *node
	id   int64  // of dir at the service
	name string // as asked for; the service keeps the spelling of a file it has
	path string // below media/, for people
}

// targetIn is where to upload a file called name in dir; Store.mu must be held.
func targetIn(dir *node, name string) target {
	return target{dir: dir, id: dir.id, name: name, path: (&node{parent: dir, name: name}).path()}
}

// here is the place of a target.
func (at target) here() namelock.Name { return namelock.Of(at.dir.ino, at.name) }
