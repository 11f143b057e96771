package catalogue

// nodeSet is a set of nodes of a base, as a bitmap.
type nodeSet []uint64

func newNodeSet(nodes int) nodeSet { return make(nodeSet, (nodes+63)/64) }

func (set nodeSet) add(node int32) { set[node>>6] |= 1 << (node & 63) }

func (set nodeSet) has(node int32) bool { return set[node>>6]&(1<<(node&63)) != 0 }
