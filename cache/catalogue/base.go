package catalogue

import (
	"strings"
	"time"

	"paperfs/remote"
)

// item is a node without its address, which follows from its parent's.
type item struct {
	id, parent int64
	kind       remote.NodeKind
	name       string
	// tail is the last segment of the address, without slashes. Where the
	// address is not the parent's and one segment (the root; a service that
	// does not keep its own rule), tail is a slash and the whole address.
	tail   string
	period remote.Period
	seen   uint32 // seconds since 1970: when this mount's account first saw it
}

func (it item) whole() (address string, ok bool) { return strings.CutPrefix(it.tail, "/") }

func tailOf(address, parentAddress string) string {
	if rest, ok := strings.CutPrefix(address, parentAddress); ok && strings.HasSuffix(parentAddress, "/") {
		segment, closed := strings.CutSuffix(rest, "/")
		if closed && segment != "" && !strings.Contains(segment, "/") {
			return segment
		}
	}
	return "/" + address
}

func addressOf(it item, parentAddress string) string {
	if address, ok := it.whole(); ok {
		return address
	}
	return parentAddress + it.tail + "/"
}

// base is a tree in columns, in document order: a node's descendants follow
// it. It never changes once it is built. A node takes some 50 bytes and its
// name and segment.
type base struct {
	id      []int64
	up      []int32 // the parent; -1 for the root, which is node 0
	size    []int32 // nodes of the subtree, itself included
	kind    []remote.NodeKind
	start   []uint32 // where in text the name begins; the tail follows it
	nameLen []uint16
	tailLen []uint16
	period  []uint32 // into periods
	seen    []uint32

	text    string
	periods []remote.Period // each once; the first is none
	byID    index
	byTail  index            // by parent and folded tail, for tails that are segments
	byName  nameIndex        // by parent, kind and name
	whole   map[string]int32 // by folded address, for those that have it whole
}

func (b *base) item(node int32) item {
	start := b.start[node]
	middle := start + uint32(b.nameLen[node])
	it := item{
		id:     b.id[node],
		kind:   b.kind[node],
		name:   b.text[start:middle],
		tail:   b.text[middle : middle+uint32(b.tailLen[node])],
		period: b.periods[b.period[node]],
		seen:   b.seen[node],
	}
	if up := b.up[node]; up >= 0 {
		it.parent = b.id[up]
	}
	return it
}

func (b *base) name(node int32) string {
	start := b.start[node]
	return b.text[start : start+uint32(b.nameLen[node])]
}

func (b *base) tail(node int32) string {
	start := b.start[node] + uint32(b.nameLen[node])
	return b.text[start : start+uint32(b.tailLen[node])]
}

// find is the node with the id, -1 where there is none.
func (b *base) find(id int64) int32 {
	return b.byID.find(hashID(id), func(node int32) bool { return b.id[node] == id })
}

// eachChild calls fn for the children of node in order until it says false.
func (b *base) eachChild(node int32, fn func(child int32) bool) {
	end := node + b.size[node]
	for child := node + 1; child < end; child += b.size[child] {
		if !fn(child) {
			return
		}
	}
}

func seconds(t time.Time) uint32 { return uint32(max(t.Unix(), 0)) }
