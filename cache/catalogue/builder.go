package catalogue

import (
	"math"
	"strings"
	"time"

	"paperfs/remote"
)

// builder makes a base of nodes that come in document order.
type builder struct {
	base    *base
	text    strings.Builder
	path    []ancestor // from the root to the category that was added last
	periods map[remote.Period]uint32
	seen    func(id int64) (uint32, bool) // when an old snapshot first saw a node
	at      uint32                        // when the others are first seen
}

type ancestor struct {
	node    int32
	address string
}

// newBuilder makes a builder that keeps the first-seen times of old, which
// may be nil, and takes at for nodes that old lacks.
func newBuilder(old *Snapshot, at time.Time) *builder {
	b := &builder{
		at: seconds(at),
		seen: func(id int64) (uint32, bool) {
			if old == nil {
				return 0, false
			}
			it, ok := old.item(id)
			return it.seen, ok
		},
	}
	b.begin()
	return b
}

// begin forgets what was added.
func (b *builder) begin() {
	b.base = &base{periods: []remote.Period{{}}, whole: map[string]int32{}}
	b.periods = map[remote.Period]uint32{{}: 0}
	b.path = nil
	b.text.Reset()
}

// add takes the next node as the service tells it. The first is the root, the
// one node without a parent; where it comes again, the answer broke off and
// begins anew.
func (b *builder) add(n remote.Node) error {
	if n.Parent == 0 && len(b.base.id) > 0 && n.ID == b.base.id[0] {
		b.begin()
	}
	if err := b.ascend(n.Parent, n.ID); err != nil {
		return err
	}
	it := item{id: n.ID, kind: n.Kind, name: n.Name, period: canonical(n.Period), seen: b.at}
	if len(b.path) == 0 {
		it.tail = "/" + n.URL
	} else {
		it.tail = tailOf(n.URL, b.path[len(b.path)-1].address)
	}
	if seen, ok := b.seen(n.ID); ok {
		it.seen = seen
	}
	return b.push(it, n.URL)
}

// addItem takes the next node of another snapshot.
func (b *builder) addItem(it item) error {
	if err := b.ascend(it.parent, it.id); err != nil {
		return err
	}
	return b.push(it, "")
}

// ascend makes parent the last element of the path.
func (b *builder) ascend(parent, id int64) error {
	if len(b.base.id) == 0 {
		return nil
	}
	for len(b.path) > 0 {
		last := b.path[len(b.path)-1].node
		if b.base.id[last] == parent {
			return nil
		}
		b.leave()
	}
	return broken("node %d lies below %d, which is no category around it", id, parent)
}

func (b *builder) leave() {
	last := b.path[len(b.path)-1].node
	b.base.size[last] = int32(len(b.base.id)) - last
	b.path = b.path[:len(b.path)-1]
}

func (b *builder) push(it item, address string) error {
	switch {
	case it.id <= 0:
		return broken("%d is no id of a node", it.id)
	case it.kind != remote.CategoryNode && it.kind != remote.PaperNode:
		return broken("node %d is neither a category nor a paper", it.id)
	case len(it.name) > math.MaxUint16 || len(it.tail) > math.MaxUint16:
		return broken("the name or address of node %d is too long", it.id)
	case !validTail(it.tail, len(b.base.id) == 0):
		return broken("node %d has no address", it.id)
	case len(b.base.id) >= math.MaxInt32/2 || b.text.Len() > math.MaxUint32-2*math.MaxUint16:
		return broken("the tree is too large")
	}
	base, node, up := b.base, int32(len(b.base.id)), int32(-1)
	if len(b.path) > 0 {
		up = b.path[len(b.path)-1].node
	}
	base.id = append(base.id, it.id)
	base.up = append(base.up, up)
	base.size = append(base.size, 1)
	base.kind = append(base.kind, it.kind)
	base.start = append(base.start, uint32(b.text.Len()))
	base.nameLen = append(base.nameLen, uint16(len(it.name)))
	base.tailLen = append(base.tailLen, uint16(len(it.tail)))
	base.period = append(base.period, b.periodNumber(it.period))
	base.seen = append(base.seen, it.seen)
	b.text.WriteString(it.name)
	b.text.WriteString(it.tail)
	if it.kind == remote.CategoryNode {
		b.path = append(b.path, ancestor{node: node, address: address})
	}
	return nil
}

// validTail reports whether an address follows: the root's is whole.
func validTail(tail string, root bool) bool {
	if strings.HasPrefix(tail, "/") {
		return true
	}
	return !root && tail != "" && !strings.Contains(tail, "/")
}

func (b *builder) periodNumber(p remote.Period) uint32 {
	number, known := b.periods[p]
	if !known {
		number = uint32(len(b.base.periods))
		b.base.periods = append(b.base.periods, p)
		b.periods[p] = number
	}
	return number
}

// finish gives the base; the builder cannot be used any more.
func (b *builder) finish() (*base, error) {
	base := b.base
	if len(base.id) == 0 {
		return nil, broken("the tree is empty")
	}
	if base.kind[0] != remote.CategoryNode {
		return nil, broken("node %d, the root of the tree, is a paper: --root-url or --root-id must name a category", base.id[0])
	}
	for len(b.path) > 0 {
		b.leave()
	}
	base.text = b.text.String()
	if b.text.Cap() > b.text.Len()+b.text.Len()/4 {
		base.text = strings.Clone(base.text) // without the room to grow
	}
	base.byID = newIndex(len(base.id))
	base.byTail = newIndex(len(base.id))
	for i, id := range base.id {
		node := int32(i)
		if base.find(id) >= 0 {
			return nil, broken("the tree names node %d twice", id)
		}
		base.byID.add(hashID(id), node)
		tail := base.tail(node)
		if address, ok := strings.CutPrefix(tail, "/"); ok {
			base.whole[fold(address)] = node
		} else {
			base.byTail.add(hashTail(base.up[node], tail), node)
		}
	}
	base.byName = newNameIndex(base)
	return base, nil
}

// canonical makes equal periods equal by ==.
func canonical(p remote.Period) remote.Period {
	return remote.Period{From: p.From.UTC().Truncate(time.Second), To: p.To.UTC().Truncate(time.Second)}
}
