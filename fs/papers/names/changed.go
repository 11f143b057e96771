package names

import (
	"paperfs/cache/catalogue"
	"paperfs/remote"
)

// Changed returns, by category, the names that lead elsewhere: those of the nodes that
// changed, and of siblings that gained or lost their ~ID as a result. It calls skip once
// for each name, and omits a name that leads somewhere if skip returns true.
func Changed(old, new *catalogue.Snapshot, d catalogue.Diff, skip func(Entry) bool) map[int64][]string {
	c := comparison{old: old, new: new, compared: make(map[Entry]bool), names: make(map[int64][]string), skip: skip}
	for _, n := range d.Gone {
		c.compare(n)
	}
	for _, id := range d.Moved {
		if n, ok := old.WithoutAddress(id); ok {
			c.compare(n)
		}
		if n, ok := new.WithoutAddress(id); ok {
			c.compare(n)
		}
	}
	for _, id := range d.Added {
		if n, ok := new.WithoutAddress(id); ok {
			c.compare(n)
		}
	}
	return c.names
}

// comparison finds the names that lead elsewhere in a new tree.
type comparison struct {
	old, new *catalogue.Snapshot
	compared map[Entry]bool // plain names that were compared
	names    map[int64][]string
	skip     func(Entry) bool
}

// compare compares the old and new names of all nodes with the plain name of n in its
// category.
func (c *comparison) compare(n remote.Node) {
	plainName := Plain(n)
	if e := In(n.Parent, plainName); c.compared[e] {
		return
	} else {
		c.compared[e] = true
	}
	before, after := shownAlike(c.old, n.Parent, plainName), shownAlike(c.new, n.Parent, plainName)
	for name, node := range before {
		if after[name] != node {
			c.changed(In(n.Parent, name), after[name] != noNode)
		}
	}
	for name := range after {
		if _, known := before[name]; !known {
			c.changed(In(n.Parent, name), true)
		}
	}
}

func (c *comparison) changed(e Entry, leads bool) {
	if expected := c.skip(e); !expected || !leads {
		c.names[e.Dir] = append(c.names[e.Dir], e.Name)
	}
}

// identity is what identifies a node to the kernel.
type identity struct {
	kind remote.NodeKind
	id   int64
}

var noNode identity

// shownAlike returns the names of the children with the same plain name.
func shownAlike(s *catalogue.Snapshot, parent int64, name string) map[string]identity {
	var nodes []remote.Node
	EachPlain(s, parent, name, func(n remote.Node) bool {
		nodes = append(nodes, n)
		return true
	})
	shown := make(map[string]identity, len(nodes))
	for _, n := range nodes {
		shown[Disambiguate(n, name, len(nodes) > 1)] = identity{n.Kind, n.ID}
	}
	return shown
}
