package papers

import (
	"paperfs/cache/catalogue"
)

// remember and forget keep the categories that the kernel knows, for
// notifications.
func (t *Tree) remember(c *category) {
	t.mu.Lock()
	t.live[c.id()] = c
	t.mu.Unlock()
}

func (t *Tree) forget(c *category) {
	t.mu.Lock()
	if t.live[c.id()] == c {
		delete(t.live, c.id())
	}
	t.mu.Unlock()
}

// Invalidate tells the kernel which names now lead elsewhere or nowhere. It is
// the catalogue's Changed callback, which runs in a goroutine of its own: a
// notification waits for the handlers that the kernel has under way in that
// directory, so no handler may wait for it.
func (t *Tree) Invalidate(old, new *catalogue.Snapshot, d catalogue.Diff) {
	for _, id := range d.Dirs {
		t.mu.Lock()
		c := t.live[id]
		t.mu.Unlock()
		if c == nil {
			continue
		}
		before, after := newListing(old, id), t.list(new, id)
		for i, name := range before.names {
			if n, ok := after.find(name); !ok || n.ID != before.children[i].ID {
				// ENOENT means that the kernel does not know the name.
				_ = c.NotifyEntry(name)
			}
		}
	}
}
