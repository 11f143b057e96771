package media

import (
	"context"
	"strings"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/media"
)

var _ gofs.NodeOnAdder = (*rootNode)(nil)

// rootNode is media/ itself. It tells the kernel what changes behind its back.
type rootNode struct{ dirNode }

func (r *rootNode) OnAdd(context.Context) { r.tree.store.Subscribe(r.changed) }

// changed drops what the kernel knows of names and contents that changed. It
// runs in the store's own goroutine: the kernel may have to wait for a handler
// before it can obey.
func (r *rootNode) changed(c media.Changed) {
	dir := &r.Inode
	for name := range strings.SplitSeq(c.Dir, "/") {
		if name == "" {
			continue
		}
		if dir = dir.GetChild(name); dir == nil {
			return // the kernel does not know the directory
		}
	}
	for _, name := range c.Contents {
		if file := dir.GetChild(name); file != nil {
			file.NotifyContent(0, 0)
		}
	}
	for _, name := range c.Entries {
		dir.NotifyEntry(name)
	}
	if len(c.Entries) > 0 {
		dir.NotifyContent(0, 0)
	}
}
