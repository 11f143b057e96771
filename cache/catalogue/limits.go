package catalogue

// limits bounds a fetched tree; 0 means no limit. The tree is in memory, twice while a
// fetch replaces it, and a small answer can contain any number of nodes.
type limits struct {
	nodes  int
	memory int // bytes
}

var maxTree = limits{nodes: 4_000_000, memory: 512 << 20}

// check fails if a tree of that many nodes and bytes is too large.
func (most limits) check(nodes, memory int) error {
	switch {
	case most.nodes > 0 && nodes > most.nodes:
		return broken("the service's tree has more than %d nodes, which is the limit; --root-url or --root-id can name a category that holds fewer", most.nodes)
	case most.memory > 0 && memory > most.memory:
		return broken("the service's tree takes more than %d KiB of memory, which is the limit; --root-url or --root-id can name a category that holds less", most.memory>>10)
	}
	return nil
}
