package catalogue

import "hash/maphash"

// index finds nodes of a base by a key that the base holds itself: a hash
// table of node numbers with linear probing, five to eleven bytes a node.
type index struct {
	slots []int32 // node + 1; 0 is free. The length is a power of two.
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

// find is the first node added under hash that matches, -1 where none does.
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

func hashTail(parent int32, tail string) uint64 {
	return maphash.String(seed, fold(tail)) ^ uint64(parent)*0x9e3779b97f4a7c15
}
