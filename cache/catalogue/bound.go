package catalogue

// bound limits a fetched tree; 0 is no limit. The tree is in memory, twice while a
// fetch replaces it, and an answer that is small on the wire can have any number
// of nodes.
type bound struct {
	nodes  int
	memory int // bytes
}

var mostOfTree = bound{nodes: 4_000_000, memory: 512 << 20}

// What a base takes beside the strings of its nodes, in bytes.
const (
	nodeSize   = 64  // a record and its places in the indexes
	wholeSize  = 64  // an entry of the map of whole addresses
	periodSize = 160 // a period and its entry in the builder's map
	oddSize    = 160 // what is said of a node that is left out, or shown as well as can be
)

// check fails if a tree of so many nodes and bytes is too large.
func (most bound) check(nodes, memory int) error {
	switch {
	case most.nodes > 0 && nodes > most.nodes:
		return broken("the service's tree has more than %d nodes, which is the limit; --root-url or --root-id can name a category that holds fewer", most.nodes)
	case most.memory > 0 && memory > most.memory:
		return broken("the service's tree takes more than %d KiB of memory, which is the limit; --root-url or --root-id can name a category that holds less", most.memory>>10)
	}
	return nil
}

// memory is what the base takes, about, in bytes.
func (b *builder) memory() int {
	return b.base.used + b.base.len()*nodeSize + len(b.base.periods)*periodSize + b.whole*wholeSize + (len(b.odd)+len(b.left))*oddSize
}
