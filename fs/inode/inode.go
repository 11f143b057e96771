// Package inode gives every node of the mount its number, so that the same
// thing has the same number after a remount.
//
// go-fuse takes the number for a node's identity. It is laid out as
//
//	bits 63     0 (numbers with bit 63 are go-fuse's own)
//	bits 62..60 the kind of thing
//	bits 59..0  the thing: the service's id, the number of the local media
//	            state, or a hash for generated names
package inode

import (
	"hash/fnv"
	"io"
	"sync"

	"paperfs/remote"
)

const (
	kindShift = 60
	mask      = 1<<kindShift - 1

	categoryKind = 1
	paperKind    = 2
	mediaKind    = 3
	virtualKind  = 4
)

// Root is the number of the mount's root.
const Root = 1

// Node is the number of a category or paper.
func Node(kind remote.NodeKind, id int64) uint64 {
	if kind == remote.PaperNode {
		return paperKind<<kindShift | uint64(id)&mask
	}
	return categoryKind<<kindShift | uint64(id)&mask
}

// Media is the number of a file or directory below media/, from the number
// that the local state gave it.
func Media(n uint64) uint64 { return mediaKind<<kindShift | n&mask }

// Virtual numbers generated names by a hash of (parent, name). It remembers
// which names hold which number while the kernel knows them, so that two
// names never share one.
type Virtual struct {
	mu   sync.Mutex
	used map[uint64]name // guarded by mu
}

type name struct {
	parent uint64
	name   string
}

// NewVirtual returns an empty table.
func NewVirtual() *Virtual { return &Virtual{used: make(map[uint64]name)} }

// Number returns the number of a name in the directory with number parent.
func (v *Virtual) Number(parent uint64, child string) uint64 {
	n := name{parent, child}
	v.mu.Lock()
	defer v.mu.Unlock()
	for number := hash(n); ; number = number + 1 {
		number = virtualKind<<kindShift | number&mask
		if holder, taken := v.used[number]; !taken || holder == n {
			v.used[number] = n
			return number
		}
	}
}

// Peek is the number of a name for a listing, which reserves none.
func (v *Virtual) Peek(parent uint64, child string) uint64 {
	return virtualKind<<kindShift | hash(name{parent, child})&mask
}

// Forget frees a number that the kernel no longer knows.
func (v *Virtual) Forget(number uint64) {
	v.mu.Lock()
	delete(v.used, number)
	v.mu.Unlock()
}

func hash(n name) uint64 {
	h := fnv.New64a()
	var parent [8]byte
	for i := range parent {
		parent[i] = byte(n.parent >> (8 * i))
	}
	h.Write(parent[:])
	io.WriteString(h, n.name)
	return h.Sum64()
}
