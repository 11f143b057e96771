package catalogue

import (
	"maps"
	"slices"

	"paperfs/remote"
)

// Diff is the difference between two snapshots. Each list is in ascending order of ids. A
// node whose kind changed is in both Gone and Added.
type Diff struct {
	Dirs  []int64       // categories in both whose children, or a child's name, changed
	Nodes []int64       // nodes in both whose own name, address or period changed
	Moved []int64       // nodes in both whose parent or own name changed
	Gone  []remote.Node // removed nodes, as in the old snapshot
	Added []int64
}

// Empty reports whether the snapshots are the same.
func (d Diff) Empty() bool {
	return len(d.Dirs) == 0 && len(d.Nodes) == 0 && len(d.Moved) == 0 && len(d.Gone) == 0 && len(d.Added) == 0
}

// comparison collects a Diff.
type comparison struct {
	old, new *Snapshot
	dirs     map[int64]bool
	moved    map[int64]bool // categories whose address changed
	diff     Diff
}

func diff(old, new *Snapshot) Diff {
	if old.base == new.base && len(old.overlay.items) == 0 && len(new.overlay.items) == 0 {
		return Diff{}
	}
	c := comparison{old: old, new: new, dirs: map[int64]bool{}, moved: map[int64]bool{}}
	_ = new.eachItem(func(it item) error {
		c.compare(it)
		return nil
	})
	_ = old.eachItem(func(it item) error {
		if now, ok := new.item(it.id); !ok || now.kind != it.kind {
			c.diff.Gone = append(c.diff.Gone, it.node(old.address(it)))
			c.dirs[it.parent] = true
		}
		return nil
	})
	return c.sorted()
}

// compare handles one node of the new snapshot; parents come before their children.
func (c *comparison) compare(now item) {
	was, ok := c.old.item(now.id)
	if !ok || was.kind != now.kind {
		c.diff.Added = append(c.diff.Added, now.id)
		c.dirs[now.parent] = true
		return
	}
	if was.parent != now.parent {
		c.dirs[was.parent], c.dirs[now.parent] = true, true
	}
	if was.parent != now.parent || was.name != now.name {
		c.diff.Moved = append(c.diff.Moved, now.id)
	}
	changed := was.period != now.period
	if was.name != now.name {
		changed = true
		c.dirs[now.parent] = true
	}
	if was.ending != now.ending || was.parent != now.parent || c.moved[now.parent] {
		if c.old.address(was) != c.new.address(now) {
			changed = true
			if now.kind == remote.CategoryNode {
				c.moved[now.id] = true
			}
		}
	}
	if changed {
		c.diff.Nodes = append(c.diff.Nodes, now.id)
	}
}

func (c *comparison) sorted() Diff {
	for id := range c.dirs {
		was, before := c.old.item(id)
		now, after := c.new.item(id)
		if !before || !after || was.kind != remote.CategoryNode || now.kind != remote.CategoryNode {
			delete(c.dirs, id)
		}
	}
	c.diff.Dirs = slices.Sorted(maps.Keys(c.dirs))
	c.diff.sort()
	return c.diff
}

func (d *Diff) sort() {
	slices.Sort(d.Dirs)
	slices.Sort(d.Nodes)
	slices.Sort(d.Moved)
	slices.Sort(d.Added)
	slices.SortFunc(d.Gone, func(a, b remote.Node) int { return int(a.ID - b.ID) })
}
