package service

import (
	"crypto/sha256"
	"hash"
	"sync"
	"sync/atomic"

	"paperfs/remote/service/store"
)

const (
	// asideFrom is how many bytes of content are taken as they come.
	asideFrom = 256 << 10
	// asidePiece is how many of the others are handed over at a time.
	asidePiece = 128 << 10
)

// intake hashes content and keeps it in a draft: large content in a goroutine
// of its own, so that more is read and decoded meanwhile.
type intake struct {
	draft store.Draft
	sum   hash.Hash
	size  int64 // bytes written

	piece  []byte
	full   chan []byte // nil while nothing is handed over
	free   chan []byte
	done   sync.WaitGroup
	failed atomic.Pointer[error] // the draft's first
}

func newIntake(draft store.Draft) *intake { return &intake{draft: draft, sum: sha256.New()} }

// Write may give the error of a piece before. After an error it takes nothing.
func (i *intake) Write(p []byte) (int, error) {
	i.size += int64(len(p))
	switch {
	case i.full != nil:
		i.handOver(p)
	case i.size <= asideFrom:
		i.take(p)
	default:
		i.begin()
		i.handOver(p)
	}
	if err := i.failed.Load(); err != nil {
		return 0, *err
	}
	return len(p), nil
}

func (i *intake) begin() {
	i.full, i.free = make(chan []byte, 1), make(chan []byte, 3) // there are three pieces
	i.free <- make([]byte, 0, asidePiece)
	i.free <- make([]byte, 0, asidePiece)
	i.piece = make([]byte, 0, asidePiece)
	i.done.Go(i.run)
}

func (i *intake) handOver(p []byte) {
	for len(p) > 0 {
		n := min(len(p), asidePiece-len(i.piece))
		i.piece, p = append(i.piece, p[:n]...), p[n:]
		if len(i.piece) == asidePiece {
			i.full <- i.piece
			i.piece = <-i.free
		}
	}
}

func (i *intake) run() {
	for piece := range i.full {
		i.take(piece)
		i.free <- piece[:0]
	}
}

func (i *intake) take(p []byte) {
	if i.failed.Load() != nil {
		return
	}
	i.sum.Write(p)
	if _, err := i.draft.Write(p); err != nil {
		i.failed.Store(&err)
	}
}

// end returns once all that was written is in the draft, with the draft's
// error. It may be called again.
func (i *intake) end() error {
	if i.full != nil {
		i.full <- i.piece
		close(i.full)
		i.done.Wait()
		i.full, i.free, i.piece = nil, nil, nil
	}
	if err := i.failed.Load(); err != nil {
		return *err
	}
	return nil
}
