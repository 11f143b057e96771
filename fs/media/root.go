package media

import "context"

// Root is media/ itself.
type Root struct{ dirNode }

// Watch has the kernel told from now on of what changes behind its back. Before
// the mount is served there is nobody to tell.
func (r *Root) Watch() { r.tree.store.Subscribe(r.tree.changed) }

// Told waits until the kernel has been told of all changes up to now.
func (r *Root) Told(ctx context.Context) { r.tree.told(ctx) }
