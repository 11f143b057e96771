package reading

import (
	"encoding/hex"
	"fmt"
)

// hashLocked lets the hash pass what has come, in a goroutine of its own, beside the stream.
func (s *Source) hashLocked() {
	if s.hashing || s.size < 0 || !s.passesLocked() {
		return
	}
	s.hashing = true
	s.pool.work.Go(func() {
		s.pool.mu.Lock()
		defer s.pool.mu.Unlock()
		buffer := newBuffer()
		defer recycle(buffer)
		for s.passesLocked() {
			s.passLocked(buffer)
		}
		s.hashing = false
		s.wakeLocked()
	})
}

// passesLocked reports whether the hash goes on. Of a large file it passes what was given out: who
// reads only the beginning does not need the verdict.
func (s *Source) passesLocked() bool {
	if s.dropped || s.err != nil || s.verified {
		return false
	}
	if s.hashed == blocksOf(s.size) {
		return len(s.storing) == 0 // else the file may lack a block
	}
	here := s.blocks[s.hashed] != nil || s.own != nil && s.disk != nil
	return here && (s.given.has(s.hashed) || s.judging > 0 || s.own == nil && s.size <= firstPiece)
}

// passLocked hashes a block, or judges the whole after the last one.
func (s *Source) passLocked(buffer []byte) {
	if s.hashed == blocksOf(s.size) {
		s.judgeLocked()
		return
	}
	b := s.blocks[s.hashed]
	if b == nil {
		s.passOwnLocked(buffer)
		return
	}
	s.pool.pinLocked(b)
	f := s.disk
	s.pool.mu.Unlock()
	data, err := b.data, error(nil)
	if data == nil {
		data = buffer[:blockLength(b.number, s.size)]
		_, err = f.ReadAt(data, b.number*blockSize)
	}
	if err == nil {
		s.hash.Write(data)
	}
	s.pool.mu.Lock()
	s.pool.unpinLocked(b, false)
	if err != nil {
		s.unreadableLocked(b)
		return
	}
	s.hashed++
	s.pokeLocked()
}

// judgeLocked judges the whole, and keeps it if it is right.
func (s *Source) judgeLocked() {
	s.sum = hex.EncodeToString(s.hash.Sum(nil))
	if s.version.SHA256 != "" && s.sum != s.version.SHA256 {
		s.damagedLocked(fmt.Sprintf("its %d bytes have another SHA-256 than the service has announced", s.size))
		return
	}
	if s.version.SHA256 == "" && s.version.Summed != nil {
		s.pool.mu.Unlock()
		s.version.Summed(s.sum, s.size)
		s.pool.mu.Lock()
	}
	s.verified = true
	if s.tag == `"`+s.sum+`"` {
		s.pool.sumTags = true
	}
	s.wakeLocked()
	s.keepLocked()
}

// keepLocked gives the file to the Keeper, if all blocks are in it.
func (s *Source) keepLocked() {
	p := s.pool
	if int64(len(s.blocks)) < blocksOf(s.size) || len(s.storing) > 0 || s.size == 0 {
		return
	}
	for _, b := range s.blocks {
		if b.memory {
			return
		}
	}
	s.keeping = true
	for _, b := range s.blocks {
		p.unlistLocked(b)
	}
	p.mu.Unlock()
	unpin, err := p.keeper.Keep(s.disk, s.sum, blocksOf(s.size)*blockSize)
	p.mu.Lock()
	s.keeping = false
	if err != nil {
		for _, b := range s.blocks {
			if b.pins == 0 {
				p.listLocked(b)
			}
		}
	} else {
		s.kept, s.begun, s.unpin = true, true, unpin
		clear(s.blocks)
		s.wakeLocked()
	}
	if s.openers == 0 && (s.kept || s.idling == nil) {
		s.dropLocked()
	}
}
