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
	"hash/maphash"
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
	seed maphash.Seed
	used map[uint64]uint64 // guarded by mu: number to a second hash of its name, which takes less room than the name
}

// NewVirtual returns an empty table.
func NewVirtual() *Virtual {
	return &Virtual{seed: maphash.MakeSeed(), used: make(map[uint64]uint64)}
}

// Number returns the number of a name in the directory with number parent.
func (v *Virtual) Number(parent uint64, child string) uint64 {
	holder := maphash.String(v.seed, child) ^ parent*0x9e3779b97f4a7c15
	v.mu.Lock()
	defer v.mu.Unlock()
	for number := hash(parent, child); ; number++ {
		number = virtualKind<<kindShift | number&mask
		if other, taken := v.used[number]; !taken || other == holder {
			v.used[number] = holder
			return number
		}
	}
}

// Peek is the number of a name for a listing, which reserves none.
func (v *Virtual) Peek(parent uint64, child string) uint64 {
	return virtualKind<<kindShift | hash(parent, child)&mask
}

// Forget frees a number that the kernel no longer knows.
func (v *Virtual) Forget(number uint64) {
	v.mu.Lock()
	delete(v.used, number)
	v.mu.Unlock()
}

// hash is FNV-1a of the parent's bytes and the name. It must never change:
// the numbers stay the same over a remount.
func hash(parent uint64, name string) uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037)
	for i := range 8 {
		h = (h ^ parent>>(8*i)&0xff) * prime
	}
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * prime
	}
	return h
}
