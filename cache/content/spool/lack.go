package spool

import (
	"context"
	"errors"
	"math"
	"slices"

	"golang.org/x/sys/unix"
)

// Lack is what a spool lacks of older content, its base, over which programs write before all of that
// has come. A spool with a Lack is neither sent nor queued: nobody knows yet whether the base is right.
type Lack struct {
	End  int64              // so much of the beginning of the base counts: the rest was cut off
	Stop context.CancelFunc // ends the coming of the base
	Done chan struct{}      // closed when no more of it comes

	holes []span // what has neither come nor been written, in order
	from  int64  // the rest comes from here to the end, and then from the beginning
	read  int64  // the end of what a program has last waited for
}

// span is the bytes from one offset to another.
type span struct{ from, to int64 }

// Over creates a spool of size bytes, of which base comes later by Fill. It takes all of its room at
// once, so that no program is told of a full disk at its close.
func (s *Dir) Over(size int64) (*File, error) {
	sp, err := s.ofSize(size)
	if err != nil {
		return nil, err
	}
	if err = unix.Fallocate(int(sp.F.Fd()), 0, 0, size); err != nil && !errors.Is(err, unix.ENOSPC) {
		err = sp.F.Truncate(size) // not every file system can take the room
	}
	if err != nil {
		s.Drop(sp)
		return nil, err
	}
	sp.Lack = &Lack{End: size, Stop: func() {}, Done: make(chan struct{}), holes: []span{{0, size}}}
	return sp, nil
}

// Hole returns where, in a part of sp, the base has not come: from the first byte to the last one. The
// two are equal if it is nowhere.
func (sp *File) Hole(from, to int64) (int64, int64) {
	if sp.Lack == nil {
		return from, from
	}
	i, j := sp.Lack.within(from, to)
	if i == j {
		return from, from
	}
	return max(from, sp.Lack.holes[i].from), min(to, sp.Lack.holes[j-1].to)
}

// Rest returns where the base is to come next, as Hole does: behind what a program reads on.
func (sp *File) Rest() (from, to int64) {
	if sp.Lack == nil {
		return 0, 0
	}
	if from, to = sp.Hole(sp.Lack.from, math.MaxInt64); from == to {
		from, to = sp.Hole(0, math.MaxInt64)
	}
	return from, to
}

// Waited records that a program has waited for a part. Where the program reads on, the base follows it, so that
// one stream serves both; a random read moves nothing.
func (sp *File) Waited(from, to int64) {
	if l := sp.Lack; l != nil {
		if from == l.read {
			l.from = to
		}
		l.read = to
	}
}

// Fill writes p, a part of the base, where it has not come and nothing was written.
func (s *Dir) Fill(sp *File, p []byte, off int64) error {
	l := sp.Lack
	if l == nil {
		return nil
	}
	i, j := l.within(off, off+int64(len(p)))
	for _, hole := range l.holes[i:j] {
		from, to := max(hole.from, off), min(hole.to, off+int64(len(p)))
		if _, err := sp.F.WriteAt(p[from-off:to-off], from); err != nil {
			return err
		}
	}
	l.cover(off, off+int64(len(p)))
	return nil
}

// Whole ends the Lack of sp, of which all has come that counts.
func (sp *File) Whole() {
	if sp.Lack != nil {
		sp.Lack.Stop()
		sp.Lack = nil
	}
}

// within returns the indexes of the holes that have bytes of a part.
func (l *Lack) within(from, to int64) (i, j int) {
	i, _ = slices.BinarySearchFunc(l.holes, from, func(h span, at int64) int {
		if h.to > at {
			return 1
		}
		return -1
	})
	for j = i; j < len(l.holes) && l.holes[j].from < to; j++ {
	}
	return i, j
}

// cover takes a part out of the holes.
func (l *Lack) cover(from, to int64) {
	i, j := l.within(from, to)
	if i == j {
		return
	}
	var left []span
	if h := l.holes[i]; h.from < from {
		left = append(left, span{h.from, from})
	}
	if h := l.holes[j-1]; h.to > to {
		left = append(left, span{to, h.to})
	}
	l.holes = slices.Replace(l.holes, i, j, left...)
}

// wrote records that programs have written a part of sp.
func (sp *File) wrote(from, to int64) {
	if sp.Lack != nil {
		sp.Lack.cover(from, to)
	}
}

// cut records that sp was cut off at size: what comes back beyond it is zeros.
func (sp *File) cut(size int64) {
	if l := sp.Lack; l != nil && size < l.End {
		l.cover(size, math.MaxInt64)
		if l.End = size; size == 0 {
			sp.Whole()
		}
	}
}
