package reading

import (
	"container/list"
	"context"

	"golang.org/x/sys/unix"
)

// block is a block that is here.
type block struct {
	source *Source
	number int64
	memory bool   // it takes room in memory; else it is in the file
	data   []byte // of one in memory, or of one in the file as long as it is being used
	read   bool   // a reader had it
	pins   int    // its users at this moment
	entry  *list.Element
}

// mostMemory bounds the blocks that are in memory because the disk has no room for them. Go may
// use twice of that.
const mostMemory = (8 << 20) / blockSize

// step is how many blocks' room is taken at once.
const step = 8

// blockList returns the list that a block is in while nobody uses it, least recently used first.
func (p *Pool) blockList(inMemory, read bool) *list.List {
	i := 0
	if inMemory {
		i = 2
	}
	if read {
		i++
	}
	return &p.blocks[i]
}

func (p *Pool) listLocked(b *block) {
	if b.source.keeping {
		return
	}
	b.entry = p.blockList(b.memory, b.read).PushBack(b)
	if len(p.hungry) > 0 {
		p.feedLocked()
	}
}

func (p *Pool) unlistLocked(b *block) {
	if b.entry != nil {
		p.blockList(b.memory, b.read).Remove(b.entry)
		b.entry = nil
	}
}

func (p *Pool) pinLocked(b *block) {
	b.pins++
	p.unlistLocked(b)
}

// unpinLocked ends a use, by a reader, by the hash, or by who stores it.
func (p *Pool) unpinLocked(b *block, read bool) {
	b.read = b.read || read
	if b.pins--; b.pins > 0 {
		return
	}
	if !b.memory && b.data != nil {
		recycle(b.data)
		b.data = nil
	}
	if b.source.blocks[b.number] == b {
		p.listLocked(b)
	}
}

// loseLocked drops a block that cannot be read.
func (p *Pool) loseLocked(b *block) {
	if b.source.blocks[b.number] == b {
		p.unlistLocked(b)
		delete(b.source.blocks, b.number)
		p.returnLocked(b.memory)
	}
}

// unreadableLocked drops a block that the disk does not take, or does not give back. It is fetched
// again, into memory.
func (s *Source) unreadableLocked(b *block) {
	s.noDisk = true
	s.pool.loseLocked(b)
}

// returnLocked gives back the room of a block.
func (p *Pool) returnLocked(inMemory bool) {
	if inMemory {
		p.memory--
	} else {
		p.spare++
		p.giveLocked()
	}
	p.feedLocked()
}

// giveLocked keeps some of the spare room on the disk for the next blocks.
func (p *Pool) giveLocked() {
	if p.spare > 2*step {
		p.keeper.Give((p.spare - step) * blockSize)
		p.spare = step
	}
}

// roomLocked takes room for block i, on the disk if there is any. Blocks that were read make
// room; those that a stream fetched ahead do so only for what somebody waits for, and for the end that
// tells the size.
func (s *Source) roomLocked(ctx context.Context, i int64) (inMemory bool, err error) {
	p := s.pool
	for {
		needed := s.awaited[i] > 0 || s.judging > 0 || s.neededLocked() || s.size < 0
		switch {
		case !s.noDisk && (p.spare > 0 || p.takeLocked() || p.evictLocked(false, true)):
			p.spare--
			return false, nil
		case p.memory < mostMemory || p.evictLocked(true, true):
			p.memory++
			return true, nil
		case needed && !s.noDisk && p.evictLocked(false, false):
			p.spare--
			return false, nil
		case needed && p.evictLocked(true, false):
			p.memory++
			return true, nil
		}
		p.hungry[s] = true
		if err := s.awaitLocked(ctx); err != nil {
			return false, err
		}
	}
}

// takeLocked takes room on the disk. It leaves some of it spare.
func (p *Pool) takeLocked() bool {
	for _, n := range []int64{step, 1} {
		p.mu.Unlock()
		ok := p.keeper.Take(n * blockSize)
		p.mu.Lock()
		if ok {
			p.spare += n
		}
		if p.spare > 0 {
			return true
		}
	}
	return false
}

// evictLocked drops the least recently used block of those that a reader has had, or has not. Its
// room is free then.
func (p *Pool) evictLocked(inMemory, read bool) bool {
	blocks := p.blockList(inMemory, read)
	for e := blocks.Front(); e != nil; e = e.Next() {
		b := e.Value.(*block)
		if b.source.wantsLocked(b.number) || !inMemory && b.source.punch(b.number) != nil {
			continue
		}
		p.unlistLocked(b)
		delete(b.source.blocks, b.number)
		if inMemory {
			p.memory--
			recycle(b.data) // nobody uses it: it was in the list
		} else {
			p.spare++
		}
		return true
	}
	return false
}

// wantsLocked reports whether block i is about to be used.
func (s *Source) wantsLocked(i int64) bool {
	return s.awaited[i] > 0 || s.hashing && i >= s.hashed && i <= s.hashed+hashLag
}

// punch gives the room of a block back to the file system.
func (s *Source) punch(i int64) error {
	return unix.Fallocate(int(s.disk.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, i*blockSize, blockSize)
}

// feedLocked wakes those that wait for room, or for a stream.
func (p *Pool) feedLocked() {
	for s := range p.hungry {
		delete(p.hungry, s)
		s.wakeLocked()
	}
}
