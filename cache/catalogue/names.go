package catalogue

import (
	"context"
	"hash/maphash"
	"slices"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// withoutAddress returns the item as a Node without its address.
func (it item) withoutAddress() remote.Node {
	return remote.Node{ID: it.id, Parent: it.parent, Kind: it.kind, Name: it.name, Period: it.period}
}

// WithoutAddress is Node without the address: an address takes a walk up to the
// root.
func (s *Snapshot) WithoutAddress(id int64) (remote.Node, bool) {
	it, ok := s.item(id)
	return it.withoutAddress(), ok
}

// EachNamed calls fn for the children of a category that have this kind and exactly
// this name, in no order and without their addresses, until fn returns false. It
// does not look at the other children.
func (s *Snapshot) EachNamed(id int64, kind remote.NodeKind, name string, fn func(remote.Node) bool) {
	goOn := true
	if up := s.base.find(id); up >= 0 {
		s.base.byName.each(hashName(up, kind, name), func(node int32) bool {
			_, changed := s.over.items[s.base.id(node)]
			if !changed && s.base.nodes.at(node).up == up && s.base.nodes.at(node).kind() == kind && s.base.name(node) == name {
				goOn = fn(s.base.item(node).withoutAddress())
			}
			return goOn
		})
	}
	children := s.over.children[id]
	first, _ := slices.BinarySearchFunc(children, item{kind: kind, name: name}, func(child int64, wanted item) int {
		if before(s.over.items[child], wanted) {
			return -1
		}
		return 1
	})
	for _, child := range children[first:] {
		it := s.over.items[child]
		if !goOn || it.kind != kind || rules.CompareFolded(it.name, name) != 0 {
			return
		}
		if it.name == name {
			goOn = fn(it.withoutAddress())
		}
	}
}

// namesakes are the nodes whose hash others have too.
func (x keyIndex) namesakes() nodeSet {
	set := newNodeSet(len(x))
	for i := 1; i < len(x); i++ {
		if x[i]>>32 == x[i-1]>>32 {
			set.add(int32(uint32(x[i-1])))
			set.add(int32(uint32(x[i])))
		}
	}
	return set
}

// newNameIndex returns an index of nodes by parent, kind and name.
func newNameIndex(ctx context.Context, b *base) keyIndex {
	return newKeyIndex(ctx, b, func(node int32, r *record) (uint32, bool) {
		return hashName(r.up, r.kind(), b.name(node)), true
	})
}

func hashName(parent int32, kind remote.NodeKind, name string) uint32 {
	return uint32((maphash.String(seed, name) ^ uint64(parent)*0x9e3779b97f4a7c15 ^ uint64(kind)<<56) >> 32)
}
