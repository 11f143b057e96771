package media

import (
	"context"

	gofs "github.com/hanwen/go-fuse/v2/fs"
)

var _ gofs.NodeOnAdder = (*Root)(nil)

// Root is media/ itself.
type Root struct{ dirNode }

// OnAdd has the kernel told from now on of what changes behind its back.
func (r *Root) OnAdd(context.Context) {
	r.tree.mu.Lock()
	r.tree.dirs[r.ino] = &r.dirNode
	r.tree.mu.Unlock()
	r.tree.store.Subscribe(r.tree.changed)
}

// Told waits until the kernel has been told of all changes up to now.
func (r *Root) Told(ctx context.Context) { r.tree.told(ctx) }
