package catalogue

import (
	"slices"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// EachNamed calls fn for the children of a category that have exactly this kind and name,
// in no order and without their addresses, until fn returns false. It does not visit the
// other children.
func (s *Snapshot) EachNamed(id int64, kind remote.NodeKind, name string, fn func(remote.Node) bool) {
	goOn := true
	if parent := s.base.find(id); parent >= 0 {
		s.base.byName.each(hashName(parent, kind, name), func(node int32) bool {
			_, changed := s.overlay.items[s.base.id(node)]
			if !changed && s.base.nodes.at(node).parent == parent && s.base.nodes.at(node).kind() == kind && s.base.name(node) == name {
				goOn = fn(s.base.item(node).withoutAddress())
			}
			return goOn
		})
	}
	children := s.overlay.children[id]
	first, _ := slices.BinarySearchFunc(children, item{kind: kind, name: name}, func(child int64, wanted item) int {
		if before(s.overlay.items[child], wanted) {
			return -1
		}
		return 1
	})
	for _, child := range children[first:] {
		it := s.overlay.items[child]
		if !goOn || it.kind != kind || rules.CompareFolded(it.name, name) != 0 {
			return
		}
		if it.name == name {
			goOn = fn(it.withoutAddress())
		}
	}
}
