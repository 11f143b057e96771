package media

import "context"

// Root is media/ itself.
type Root struct{ dirNode }

// Watch has the kernel told from now on of what changes without it. Before the
// mount is served the kernel cannot be told.
func (r *Root) Watch() { r.tree.store.Subscribe(r.tree.changed) }

// Told waits until the kernel has been told of all changes up to now.
func (r *Root) Told(ctx context.Context) { r.tree.told(ctx) }
