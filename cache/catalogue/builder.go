package catalogue

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"paperfs/remote"
)

// builder makes a base from nodes that arrive in document order.
type builder struct {
	base      *baseTree
	text      textBuilder
	path      []ancestor // from the root to the category added last
	periods   map[remote.Period]uint32
	old       *Snapshot      // the previous tree, or nil
	shared    *baseTree      // the base of old if its text is shared, or nil
	at        uint32         // first-seen time of nodes that old lacks
	rootURL   string         // the root's address if the service omits it
	odd       []string       // describes each node that is left out or cannot be shown in full
	skipped   map[int64]bool // nodes that are left out; their descendants are too
	addressed int            // nodes stored with their full address

	ctx    context.Context // cancels the build
	limits limits
}

type ancestor struct {
	node    int32
	address string
}

// newBuilder returns a builder. It takes from old, which may be nil, what has not changed:
// the times at which nodes were first seen, and their names and segments. So two trees
// that differ little need little more memory than one. Nodes that old lacks get at as the
// time they were first seen.
func newBuilder(old *Snapshot, at time.Time) *builder {
	b := &builder{old: old, at: seconds(at), ctx: context.Background()}
	// A new tree may share the old one's text: nodes that still exist must use most of it.
	if old != nil && old.base.text.bytes() <= 2*old.base.used+pieceSize && len(old.base.text) < maxPieces/2 {
		b.shared = old.base
	}
	b.reset()
	return b
}

// reset resets the builder.
func (b *builder) reset() {
	b.base = &baseTree{periods: []remote.Period{{}}, byAddress: map[string]int32{}}
	b.periods = map[remote.Period]uint32{{}: 0}
	b.path, b.addressed = nil, 0
	b.odd, b.skipped = nil, make(map[int64]bool)
	b.text = textBuilder{}
	if b.shared != nil {
		b.text.text = slices.Clip(b.shared.text)
	}
}

// add adds the next node of the answer. The first is the root, the only node without a
// parent. If the root appears a second time, the answer was interrupted and starts over.
// add fails if the tree becomes too large.
func (b *builder) add(n remote.Node) error {
	if stopped(b.ctx, int32(b.base.len())) {
		return interrupted(remote.GetAllPapers, context.Cause(b.ctx))
	}
	if err := b.addNode(n); err != nil {
		return err
	}
	return b.limits.check(b.base.len(), b.memory())
}

func (b *builder) addNode(n remote.Node) error {
	if n.Parent == 0 && b.base.len() > 0 && n.ID == b.base.id(0) {
		b.reset()
	}
	if n.Odd != "" {
		b.odd = append(b.odd, n.Odd)
	}
	if n.URL == "" && b.base.len() == 0 {
		n.URL = b.rootURL
	}
	switch {
	case n.ID == 0 && n.Odd != "":
		return nil
	case b.skipped[n.Parent]:
		b.skipped[n.ID] = true
		return nil
	case len(n.Name) > math.MaxUint16 || len(n.URL) >= math.MaxUint16:
		b.odd = append(b.odd, fmt.Sprintf("the name or address of node %d is too long: it is left out with everything below it", n.ID))
		b.skipped[n.ID] = true
		return nil
	}
	if err := b.ascend(n.Parent, n.ID); err != nil {
		return err
	}
	it := item{id: n.ID, kind: n.Kind, name: n.Name, period: canonical(n.Period), seen: b.at, versions: versions{n.Version, n.Edition, n.Pages}}
	if len(b.path) == 0 {
		it.ending = "/" + n.URL
	} else {
		it.ending = endingOf(n.URL, b.path[len(b.path)-1].address)
	}
	if b.old != nil {
		if was, ok := b.old.item(n.ID); ok {
			it.seen = was.seen
		}
	}
	return b.push(it, n.URL)
}

// addItem adds the next node of another snapshot.
func (b *builder) addItem(it item) error {
	if err := b.ascend(it.parent, it.id); err != nil {
		return err
	}
	return b.push(it, "")
}

// ascend pops categories off the path until parent is the last one.
func (b *builder) ascend(parent, id int64) error {
	if b.base.len() == 0 {
		return nil
	}
	for len(b.path) > 0 {
		last := b.path[len(b.path)-1].node
		if b.base.id(last) == parent {
			return nil
		}
		b.leave()
	}
	return broken("node %d is out of order: its parent %d is not one of the enclosing categories", id, parent)
}

func (b *builder) leave() {
	last := b.path[len(b.path)-1].node
	b.base.nodes.at(last).below = int32(b.base.len()) - last
	b.path = b.path[:len(b.path)-1]
}

func (b *builder) push(it item, address string) error {
	switch {
	case it.id <= 0:
		return broken("%d is not the id of a node", it.id)
	case it.kind != remote.CategoryNode && it.kind != remote.PaperNode:
		return broken("node %d is neither a category nor a paper", it.id)
	case len(it.name) > math.MaxUint16 || len(it.ending) > math.MaxUint16:
		return broken("the name or address of node %d is too long", it.id)
	case !validEnding(it.ending, b.base.len() == 0):
		return broken("node %d has no address", it.id)
	case b.base.len() >= math.MaxInt32/2 || b.text.full():
		return broken("the tree is too large")
	}
	r := record{id: it.id, parent: -1, start: b.place(it), period: b.periodNumber(it.period), seen: it.seen,
		nameLen: uint16(len(it.name)), endingLen: uint16(len(it.ending))}
	node := int32(b.base.len())
	if len(b.path) > 0 {
		r.parent = b.path[len(b.path)-1].node
	}
	if it.kind == remote.CategoryNode {
		r.below = 1
		b.path = append(b.path, ancestor{node: node, address: address})
	}
	b.base.nodes.add(r)
	if it.versions != (versions{}) {
		for b.base.versions.len() < int(node) {
			b.base.versions.add(versions{})
		}
		b.base.versions.add(it.versions)
	}
	b.base.used += len(it.name) + len(it.ending)
	if strings.HasPrefix(it.ending, "/") {
		b.addressed++
	}
	return nil
}

// place returns the position in the text of a node's name and segment, and adds them if
// they are new.
func (b *builder) place(it item) (start uint32) {
	if b.shared != nil {
		if node := b.shared.find(it.id); node >= 0 && b.shared.name(node) == it.name && b.shared.ending(node) == it.ending {
			return b.shared.nodes.at(node).start
		}
	}
	return b.text.add(it.name, it.ending)
}

// validEnding reports whether a node's address can be derived from ending. The root has no
// parent, so its ending must be a full address.
func validEnding(ending string, root bool) bool {
	if strings.HasPrefix(ending, "/") {
		return true
	}
	return !root && ending != "" && !strings.Contains(ending, "/")
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

// finish returns the base, or the old one if nothing has changed. The builder must not be
// used afterwards.
func (b *builder) finish() (*baseTree, error) {
	base := b.base
	if base.len() == 0 {
		return nil, broken("the tree is empty")
	}
	if base.nodes.at(0).kind() != remote.CategoryNode {
		return nil, &remote.Error{Op: remote.GetAllPapers.Name, Kind: remote.Broken, Err: errPaperRoot}
	}
	for len(b.path) > 0 {
		b.leave()
	}
	if b.shared != nil && base.nodes.equal(b.shared.nodes) && slices.Equal(base.periods, b.shared.periods) {
		return b.shared.with(base.versions), nil
	}
	b.text.end()
	base.text = b.text.text
	twins, err := base.index(b.ctx)
	if err != nil || len(twins) == 0 {
		return base, err
	}
	return b.without(twins)
}

// without returns the finished base without the nodes in twins and their descendants. An
// earlier node already has the id of each twin.
func (b *builder) without(twins []int32) (*baseTree, error) {
	full, odd := b.base, b.odd
	rest := &builder{at: b.at, ctx: b.ctx}
	rest.reset()
	twin := newNodeSet(full.len())
	for _, node := range twins {
		twin.add(node)
	}
	for node := int32(0); node < int32(full.len()); node++ {
		if twin.has(node) {
			odd = append(odd, fmt.Sprintf("the id %d occurs twice: %q is left out with everything below it", full.id(node), full.name(node)))
			node += max(full.nodes.at(node).below, 1) - 1
			continue
		}
		if err := rest.addItem(full.item(node)); err != nil {
			return nil, err
		}
	}
	base, err := rest.finish()
	b.odd = odd
	return base, err
}

// canonical makes equal periods equal by ==.
func canonical(p remote.Period) remote.Period {
	return remote.Period{From: p.From.UTC().Truncate(time.Second), To: p.To.UTC().Truncate(time.Second)}
}

// Approximate memory of a base besides the strings of its nodes, in bytes.
const (
	nodeSize    = 64  // a record and its index entries
	addressSize = 64  // an entry of base.byAddress
	periodSize  = 160 // a period and its entry in the builder's map
	versionSize = 16  // the versions of a node
	oddSize     = 160 // the description of one oddity
)

// memory estimates the memory of the base in bytes.
func (b *builder) memory() int {
	return b.base.used + b.base.len()*nodeSize + len(b.base.periods)*periodSize + b.base.versions.len()*versionSize + b.addressed*addressSize + (len(b.odd)+len(b.skipped))*oddSize
}
