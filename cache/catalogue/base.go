package catalogue

import (
	"context"
	"hash/maphash"
	"strings"
	"sync"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// item is a node without its address, which follows from its parent's.
type item struct {
	id, parent int64
	kind       remote.NodeKind
	name       string
	// tail is the last segment of the address, without slashes. If the address is
	// not the parent's and one segment (the root, or a service that breaks its own
	// rule), tail is a slash and the whole address.
	tail   string
	period remote.Period
	seen   uint32 // seconds since 1970: when this mount's account first saw it
}

func (it item) firstSeen() time.Time { return time.Unix(int64(it.seen), 0) }

func (it item) ownAddress() (address string, ok bool) { return strings.CutPrefix(it.tail, "/") }

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
	if address, ok := it.ownAddress(); ok {
		return address
	}
	return parentAddress + it.tail + "/"
}

// base is a tree in document order: a node's descendants follow it. It never
// changes once it is built. A node takes some 57 bytes and its name and
// segment.
type base struct {
	nodes   records
	text    text
	used    int             // bytes of the text that nodes have; the others are of nodes before
	periods []remote.Period // each once; the first stands for no period
	byID    index
	byTail  keyIndex // by parent and folded tail, for tails that are segments
	byName  keyIndex // by parent, kind and name
	// namesakes are nodes that may have a sibling of the same kind and name. No
	// other node has one.
	namesakes nodeSet
	whole     map[string]int32 // by folded address, for those that have it whole
}

func (b *base) len() int { return b.nodes.len() }

func (b *base) item(node int32) item {
	r := b.nodes.at(node)
	it := item{
		id:     r.id,
		kind:   r.kind(),
		name:   b.name(node),
		tail:   b.tail(node),
		period: b.periods[r.period],
		seen:   r.seen,
	}
	if r.up >= 0 {
		it.parent = b.nodes.at(r.up).id
	}
	return it
}

func (b *base) id(node int32) int64 { return b.nodes.at(node).id }

func (b *base) name(node int32) string {
	r := b.nodes.at(node)
	return b.text.at(r.start, r.nameLen)
}

func (b *base) tail(node int32) string {
	r := b.nodes.at(node)
	return b.text.at(r.start+uint32(r.nameLen), r.tailLen)
}

// find is the node with the id, -1 if there is none.
func (b *base) find(id int64) int32 {
	return b.byID.find(hashID(id), func(node int32) bool { return b.id(node) == id })
}

// sharesText reports whether a new tree may use this one's text: most of the text
// must belong to nodes that still exist.
func (b *base) sharesText() bool {
	return b.text.bytes() <= 2*b.used+pieceSize && len(b.text) < maxPieces/2
}

// index fills the indexes side by side: that is most of the time that loading a
// saved tree takes. It returns the nodes whose id an earlier node has; a tree must
// have none. It fails when ctx ends.
func (b *base) index(ctx context.Context) (twins []int32, err error) {
	var work sync.WaitGroup
	work.Go(func() { b.indexTails(ctx) })
	work.Go(func() {
		b.byName = newNameIndex(ctx, b)
		b.namesakes = b.byName.namesakes()
	})
	twins = b.indexIDs(ctx)
	work.Wait()
	if ctx.Err() != nil {
		return nil, interrupted(remote.GetAllPapers, context.Cause(ctx))
	}
	return twins, nil
}

func (b *base) indexIDs(ctx context.Context) (twins []int32) {
	b.byID = newIndex(b.len())
	for node := range int32(b.len()) {
		if over(ctx, node) {
			return nil
		}
		id := b.id(node)
		if b.find(id) >= 0 {
			twins = append(twins, node)
		} else {
			b.byID.add(hashID(id), node)
		}
	}
	return twins
}

func (b *base) indexTails(ctx context.Context) {
	b.byTail = newKeyIndex(ctx, b, func(node int32, r *record) (uint32, bool) {
		tail := b.tail(node)
		if address, ok := strings.CutPrefix(tail, "/"); ok {
			b.whole[rules.Fold(address)] = node
			return 0, false
		}
		return hashTail(r.up, tail), true
	})
}

func hashTail(parent int32, tail string) uint32 {
	return uint32((maphash.String(seed, rules.Fold(tail)) ^ uint64(parent)*0x9e3779b97f4a7c15) >> 32)
}

func seconds(t time.Time) uint32 { return uint32(max(t.Unix(), 0)) }
