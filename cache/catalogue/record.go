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

// records is split into chunks, so that it grows without copying.
type records [][]record

const (
	chunkBits = 12
	chunkSize = 1 << chunkBits
)

func (rs records) len() int {
	if len(rs) == 0 {
		return 0
	}
	last := len(rs) - 1
	return last<<chunkBits + len(rs[last])
}

func (rs records) at(node int32) *record { return &rs[node>>chunkBits][node&(chunkSize-1)] }

func (rs *records) add(r record) {
	last := len(*rs) - 1
	switch {
	case last < 0:
		*rs = append(*rs, nil) // append grows it: most trees need only one chunk
		last = 0
	case len((*rs)[last]) == chunkSize:
		*rs = append(*rs, make([]record, 0, chunkSize))
		last++
	}
	(*rs)[last] = append((*rs)[last], r)
}

func (rs records) equal(others records) bool { return slices.EqualFunc(rs, others, slices.Equal) }
