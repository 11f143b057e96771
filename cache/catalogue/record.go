package catalogue

import (
	"slices"

	"paperfs/remote"
)

// record is a node of a base tree without its strings: 32 bytes, no pointers.
type record struct {
	id                 int64
	parent             int32  // -1 for the root, which is node 0
	below              int32  // size of a category's subtree, including the category; 0 for a paper
	start              uint32 // position of the name in the text; the ending follows it
	period             uint32 // index into base.periods
	seen               uint32 // as item.seen
	nameLen, endingLen uint16
}

func (r *record) kind() remote.NodeKind {
	if r.below == 0 {
		return remote.PaperNode
	}
	return remote.CategoryNode
}

// size returns the number of nodes in the subtree of the record, including itself.
func (r *record) size() int32 { return max(r.below, 1) }

// versions are those of a node, and the pages of a paper, as the service last told them; 0 is unknown.
type versions struct {
	own, edition remote.Version
	pages        remote.PageTotal
}

// chunks is a list that is split, so that it grows without copying.
type chunks[T comparable] [][]T

const (
	chunkBits = 12
	chunkSize = 1 << chunkBits
)

func (c chunks[T]) len() int {
	if len(c) == 0 {
		return 0
	}
	last := len(c) - 1
	return last<<chunkBits + len(c[last])
}

func (c chunks[T]) at(node int32) *T { return &c[node>>chunkBits][node&(chunkSize-1)] }

func (c *chunks[T]) add(r T) {
	last := len(*c) - 1
	switch {
	case last < 0:
		*c = append(*c, nil) // append grows it: most trees need only one chunk
		last = 0
	case len((*c)[last]) == chunkSize:
		*c = append(*c, make([]T, 0, chunkSize))
		last++
	}
	(*c)[last] = append((*c)[last], r)
}

func (c chunks[T]) equal(others chunks[T]) bool { return slices.EqualFunc(c, others, slices.Equal) }
