package catalogue

import (
	"paperfs/remote"
)

// baseTree is a tree in document order: a node's descendants follow it. It never changes once
// it is built. A node takes about 57 bytes plus its name and segment, and 24 if the service tells versions.
type baseTree struct {
	nodes    chunks[record]
	versions chunks[versions] // by node; it ends with the last one that has any
	text     text
	used     int             // bytes of the text that this tree's nodes use; the rest belongs to earlier trees
	periods  []remote.Period // without duplicates; the first means no period
	byID     index
	byEnding keyIndex // by parent and folded ending, if the ending is a segment
	byName   keyIndex // by parent, kind and name
	// namesakes are nodes that may have a sibling of the same kind and name. All other
	// nodes have none.
	namesakes nodeSet
	byAddress map[string]int32 // by folded address, for nodes stored with their full address
}

func (b *baseTree) len() int { return b.nodes.len() }

func (b *baseTree) item(node int32) item {
	r := b.nodes.at(node)
	it := item{
		id:     r.id,
		kind:   r.kind(),
		name:   b.name(node),
		ending: b.ending(node),
		period: b.periods[r.period],
		seen:   r.seen,
	}
	if int(node) < b.versions.len() {
		it.versions = *b.versions.at(node)
	}
	if r.parent >= 0 {
		it.parent = b.nodes.at(r.parent).id
	}
	return it
}

func (b *baseTree) id(node int32) int64 { return b.nodes.at(node).id }

func (b *baseTree) name(node int32) string {
	r := b.nodes.at(node)
	return b.text.at(r.start, r.nameLen)
}

func (b *baseTree) ending(node int32) string {
	r := b.nodes.at(node)
	return b.text.at(r.start+uint32(r.nameLen), r.endingLen)
}

// find returns the node with the id, or -1.
func (b *baseTree) find(id int64) int32 {
	return b.byID.find(hashID(id), func(node int32) bool { return b.id(node) == id })
}

// with returns the same tree with other versions.
func (b *baseTree) with(of chunks[versions]) *baseTree {
	if b.versions.equal(of) {
		return b
	}
	next := *b
	next.versions = of
	return &next
}
