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

// Node returns the number of a category or paper.
func Node(kind remote.NodeKind, id int64) uint64 {
	if kind == remote.PaperNode {
		return paperKind<<kindShift | uint64(id)&mask
	}
	return categoryKind<<kindShift | uint64(id)&mask
}

// Media returns the number of a file or directory below media/, from its number in the
// local media state.
func Media(n uint64) uint64 { return mediaKind<<kindShift | n&mask }

// Virtual numbers generated names by a hash of (parent, name). While the kernel knows a
// number, Virtual remembers its name, so that two names never share a number.
type Virtual struct {
	mu   sync.Mutex
	seed maphash.Seed
	used map[uint64]uint64 // guarded by mu: number to a second hash of its name, which is smaller than the name
}

// NewVirtual returns an empty table.
func NewVirtual() *Virtual {
	return &Virtual{seed: maphash.MakeSeed(), used: make(map[uint64]uint64)}
}

// Number returns the number of a name in the directory with number parent.
func (v *Virtual) Number(parent uint64, child string) uint64 {
	holder := v.holder(parent, child)
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

// holder returns a second hash of a name.
func (v *Virtual) holder(parent uint64, child string) uint64 {
	return maphash.String(v.seed, child) ^ parent*0x9e3779b97f4a7c15
}

// Another returns a number for a name that no other inode has, not even one that had the name before.
func (v *Virtual) Another(parent uint64, child string) uint64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	number := virtualKind<<kindShift | hash(parent, child)&mask
	for _, taken := v.used[number]; taken; _, taken = v.used[number] {
		number = virtualKind<<kindShift | (number+1)&mask
	}
	v.used[number] = v.holder(parent, child)
	return number
}

// Peek returns the number of a name for a listing, without reserving it.
func (v *Virtual) Peek(parent uint64, child string) uint64 {
	return virtualKind<<kindShift | hash(parent, child)&mask
}

// Forget frees a number that no inode has any more.
func (v *Virtual) Forget(number uint64) {
	v.mu.Lock()
	delete(v.used, number)
	v.mu.Unlock()
}

// hash is FNV-1a of the parent's bytes and the name. It must never change, because numbers
// stay the same across remounts.
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
