package catalogue

import (
	"context"
	"hash/maphash"
	"slices"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// index finds a node of a base tree by a unique key that the base itself stores. It is a hash
// table of node numbers with linear probing: five to eleven bytes per node.
type index struct {
	slots []int32 // node + 1; 0 marks a free slot. The length is a power of two.
}

var seed = maphash.MakeSeed()

func newIndex(nodes int) index {
	size := 8
	for size*3 < nodes*4 {
		size *= 2
	}
	return index{slots: make([]int32, size)}
}

func (x index) add(hash uint64, node int32) {
	mask := uint64(len(x.slots) - 1)
	i := hash & mask
	for x.slots[i] != 0 {
		i = (i + 1) & mask
	}
	x.slots[i] = node + 1
}

// find returns the first node added under hash that matches, or -1.
func (x index) find(hash uint64, match func(node int32) bool) int32 {
	mask := uint64(len(x.slots) - 1)
	for i := hash & mask; x.slots[i] != 0; i = (i + 1) & mask {
		if node := x.slots[i] - 1; match(node) {
			return node
		}
	}
	return -1
}

func hashID(id int64) uint64 { return maphash.Comparable(seed, id) }

func hashEnding(parent int32, ending string) uint32 {
	return uint32((maphash.String(seed, rules.Fold(ending)) ^ uint64(parent)*0x9e3779b97f4a7c15) >> 32)
}

func hashName(parent int32, kind remote.NodeKind, name string) uint32 {
	return uint32((maphash.String(seed, name) ^ uint64(parent)*0x9e3779b97f4a7c15 ^ uint64(kind)<<56) >> 32)
}

// keyIndex finds nodes of a base tree by a key that any number of nodes may share, which would
// make a table with probing slow. It is a sorted list with eight bytes per node: the hash
// of its key, then its number.
type keyIndex []uint64

// each calls fn for the nodes with the hash, in document order, until fn returns false.
func (x keyIndex) each(hash uint32, fn func(node int32) bool) {
	first, _ := slices.BinarySearch(x, uint64(hash)<<32)
	for _, entry := range x[first:] {
		if uint32(entry>>32) != hash || !fn(int32(uint32(entry))) {
			return
		}
	}
}

// stopped reports whether a loop over many nodes must stop because ctx has ended. It checks
// ctx once every 4096 nodes.
func stopped(ctx context.Context, node int32) bool { return node&0xfff == 0 && ctx.Err() != nil }
