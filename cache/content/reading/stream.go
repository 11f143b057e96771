package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"

	"paperfs/remote"
)

// stream fetches blocks in their order. A Source has at most one.
type stream struct {
	attempt
	source *Source
	ctx    context.Context
	cancel context.CancelFunc
	from   int64 // its first block
	to     int64 // the block behind the last one; 0: all
	waits  bool  // for its reader, for the hash, or for room
}

const (
	skipped = 8  // so many blocks that are here are not fetched again
	hashLag = 16 // how far the hash may be behind what it has to pass, so that it finds the blocks here
)

var errStopped = errors.New("the stream was stopped")

// streamLocked begins a stream at block next, in place of the one that there is. Nil: no stream
// may begin now.
func (s *Source) streamLocked(next, to int64) *attempt {
	s.pool.stopLocked(s.stream)
	if !s.pool.slotLocked() {
		return nil
	}
	st := &stream{source: s, from: next, to: to}
	st.ctx, st.cancel = context.WithCancel(s.pool.base)
	s.stream, s.next = st, next
	s.pool.streams = append(s.pool.streams, st)
	s.pool.work.Go(func() {
		defer st.cancel()
		err := (&reception{stream: st}).receive()
		s.pool.mu.Lock()
		defer s.pool.mu.Unlock()
		if !st.done {
			s.pool.stopLocked(st)
			if err != io.EOF {
				st.err = s.refusedLocked(err)
			}
			s.wakeLocked()
		}
	})
	return &st.attempt
}

// turnLocked waits until the stream may fetch its next block. open says that an answer is under
// way. io.EOF: the stream has done its work.
func (st *stream) turnLocked(open bool) error {
	s := st.source
	for {
		switch {
		case st.done:
			return errStopped
		case s.err != nil:
			return s.err
		case s.kept: // blocks do not say what is here any more
			return io.EOF
		case !s.begun:
			return nil
		}
		s.skipLocked(open, st.endLocked())
		if s.next >= st.endLocked() {
			return io.EOF
		}
		if s.mayLocked() {
			return nil
		}
		st.waits = true
		err := s.awaitLocked(st.ctx)
		st.waits = false
		if err != nil {
			return errStopped
		}
	}
}

// endLocked returns the block behind the last one that the stream fetches.
func (st *stream) endLocked() int64 {
	end := int64(math.MaxInt64)
	if size := st.source.size; size >= 0 {
		end = blocksOf(size)
	}
	if st.to > 0 {
		end = min(end, st.to)
	}
	return end
}

// skipLocked passes over blocks that are here, if that is cheaper than to receive them.
func (s *Source) skipLocked(open bool, end int64) {
	if s.whole {
		return
	}
	here := s.next
	for here < end && s.blocks[here] != nil {
		here++
	}
	if !open || here == end || here-s.next >= skipped {
		s.next = here
	}
}

// mayLocked reports whether the stream may fetch its next block.
func (s *Source) mayLocked() bool {
	switch {
	case s.hashing && s.hashed >= s.stream.from && s.next-s.hashed > hashLag && (s.judging > 0 || s.given.has(s.hashed+hashLag)):
		return false // nobody waits for long: the hash is on its way here
	case s.neededLocked() || s.size < 0:
		return true
	}
	return s.judging > 0 || s.hurried || s.openers == 0 || s.next*blockSize < s.window.limit()
}

// reception is how a stream receives: by one answer, or several if answers break off.
type reception struct {
	*stream
	r         *remote.Received // the answer under way; nil: none
	buffer    []byte
	block     int64 // that the buffer is for
	have      int   // bytes of it
	at        int64 // position of r
	reach     int64 // how far answers came
	fruitless int   // answers in a row that came no further
}

func (t *reception) receive() error {
	defer func() {
		if t.end(); t.buffer != nil {
			recycle(t.buffer)
		}
	}()
	for {
		runtime.Gosched() // those that wait for what has come go on first: else they wait for the next block, too
		i, length, err := t.turn()
		if err != nil {
			return err
		}
		if i != t.block {
			t.block, t.have = i, 0
		}
		if t.r != nil && t.at != i*blockSize+int64(t.have) {
			t.end()
		}
		if t.r == nil {
			if err := t.ask(); err != nil {
				return err
			}
			continue // the answer may have told the size, or another place to begin at
		}
		if err := t.fill(length); err != nil {
			return err
		}
	}
}

// turn returns the block to fetch and its length.
func (t *reception) turn() (i, length int64, err error) {
	s := t.source
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	if err := t.turnLocked(t.r != nil); err != nil {
		return 0, 0, err
	}
	if t.r == nil && s.whole {
		s.next, t.have = 0, 0
	}
	length = blockSize
	if s.size >= 0 {
		length = blockLength(s.next, s.size)
	}
	return s.next, length, nil
}

func (t *reception) end() {
	if t.r != nil {
		t.r.Close()
		t.r = nil
	}
}

// ask asks for all that the stream has still to fetch.
func (t *reception) ask() error {
	s := t.source
	s.pool.mu.Lock()
	part := remote.Part{Tag: s.tag}
	if t.at = t.block*blockSize + int64(t.have); s.whole {
		t.at = 0
	} else if part.From = t.at; t.to > 0 {
		part.To = t.to * blockSize
	} else {
		part.To = max(s.size, 0)
	}
	s.pool.mu.Unlock()
	r, err := s.pool.service.Download(t.ctx, s.version.Address, part)
	if err != nil {
		return err
	}
	t.r = r
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	if !r.Ranges {
		t.to = 0
	}
	return s.learnLocked(r)
}

// fill receives the rest of a block, and stores the block.
func (t *reception) fill(length int64) error {
	if t.buffer == nil {
		t.buffer = newBuffer()
	}
	n, err := io.ReadFull(t.r, t.buffer[t.have:length])
	t.have += n
	t.at += int64(n)
	if t.at > t.reach {
		t.reach, t.fruitless = t.at, 0
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = t.short()
	} else if err == nil {
		err = t.excess()
	}
	if err != nil {
		return t.broken(err)
	}
	if t.have == 0 {
		return nil
	}
	took, err := t.source.arrive(t.ctx, t.block, t.buffer[:t.have])
	if err != nil {
		return err
	}
	if took {
		t.buffer = nil
	}
	t.source.pool.mu.Lock()
	defer t.source.pool.mu.Unlock()
	if !t.done {
		t.source.next = t.block + 1
	}
	t.have = 0
	t.block++
	return nil
}

// short judges the end of an answer. It is right if nobody knew the size.
func (t *reception) short() error {
	s := t.source
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	if s.size >= 0 {
		return s.damagedLocked("the service gives fewer bytes than it says")
	}
	return s.sizedLocked(t.at)
}

// excess checks that an answer ends with the content.
func (t *reception) excess() error {
	s := t.source
	s.pool.mu.Lock()
	limit := cmp.Or(s.size+1, s.version.Most+1) - 1 // -1: none
	s.pool.mu.Unlock()
	more := limit >= 0 && t.at > limit
	if t.at == limit {
		var one [1]byte
		n, _ := t.r.Read(one[:])
		more = n > 0
	}
	if !more {
		return nil
	}
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.damagedLocked(fmt.Sprintf("the service gives more than %d bytes", limit))
}

// broken ends an answer that broke off. The next one goes on there, unless two in a row came no
// further.
func (t *reception) broken(err error) error {
	var damaged *DamagedError
	if errors.As(err, &damaged) || t.ctx.Err() != nil {
		return err
	}
	t.end()
	if t.fruitless++; t.fruitless > 2 {
		return err
	}
	return nil
}

// attempt is a fetch for which reads wait.
type attempt struct {
	done bool
	err  error // for those that wait; nil: they look again
}

// slotLocked reports whether another stream may begin. For that the one that was read least
// recently ends, unless somebody waits for it; it goes on when its reader needs it.
func (p *Pool) slotLocked() bool {
	if len(p.streams) < mostStreams {
		return true
	}
	var least *stream
	for _, st := range p.streams {
		s := st.source
		if len(s.awaited) == 0 && s.judging == 0 && s.begun && (least == nil || s.used < least.source.used) {
			least = st
		}
	}
	p.stopLocked(least)
	return least != nil
}
