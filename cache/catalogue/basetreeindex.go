package catalogue

import (
	"context"
	"slices"
	"strings"
	"sync"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// index fills the indexes concurrently, because this is most of the time that loading a
// saved tree takes. It returns the nodes whose id an earlier node already has; a valid
// tree has none. It fails when ctx ends.
func (b *baseTree) index(ctx context.Context) (twins []int32, err error) {
	var work sync.WaitGroup
	work.Go(func() { b.indexEndings(ctx) })
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

func (b *baseTree) indexIDs(ctx context.Context) (twins []int32) {
	b.byID = newIndex(b.len())
	for node := range int32(b.len()) {
		if stopped(ctx, node) {
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

func (b *baseTree) indexEndings(ctx context.Context) {
	b.byEnding = newKeyIndex(ctx, b, func(node int32, r *record) (uint32, bool) {
		ending := b.ending(node)
		if address, ok := strings.CutPrefix(ending, "/"); ok {
			b.byAddress[rules.Fold(address)] = node
			return 0, false
		}
		return hashEnding(r.parent, ending), true
	})
}

// newNameIndex returns an index by parent, kind and name.
func newNameIndex(ctx context.Context, b *baseTree) keyIndex {
	return newKeyIndex(ctx, b, func(node int32, r *record) (uint32, bool) {
		return hashName(r.parent, r.kind(), b.name(node)), true
	})
}

// newKeyIndex returns an index of the nodes that have a key. The result is incomplete if
// ctx ends first.
func newKeyIndex(ctx context.Context, b *baseTree, key func(node int32, r *record) (hash uint32, ok bool)) keyIndex {
	x := make(keyIndex, 0, b.len())
	for node := range int32(b.len()) {
		if hash, ok := key(node, b.nodes.at(node)); ok {
			x = append(x, uint64(hash)<<32|uint64(node))
		}
		if stopped(ctx, node) {
			return nil
		}
	}
	slices.Sort(x)
	return x
}

// namesakes returns the nodes that share their hash with another node.
func (x keyIndex) namesakes() nodeSet {
	set := newNodeSet(len(x))
	for i := 1; i < len(x); i++ {
		if x[i]>>32 == x[i-1]>>32 {
			set.add(int32(uint32(x[i-1])))
			set.add(int32(uint32(x[i])))
		}
	}
	return set
}
