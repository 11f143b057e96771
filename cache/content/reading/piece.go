package reading

import (
	"cmp"
	"context"
	"hash/crc32"
	"io"
)

// A program that reads at random, as a database does, gets pieces of blocks: a block would be many times
// of what it reads. Nothing of a piece is kept but its checksum, because the block may come later: what a
// reader got and what the SHA-256 passed must be the same bytes. A block that is read again and again comes as a whole.

const (
	mostPiece  = 16 << 10 // the longest read that gets a piece
	mostPieces = 4        // of a block
)

// aloneLocked reports whether a read of so many bytes of block i gets a piece: nothing of the block
// has come or is coming, the program reads at random, and it lacks more than this block.
func (s *Source) aloneLocked(i, length int64) bool {
	coming := s.singles[i] != nil || s.storing[i] || s.stream != nil && i >= s.next && i*blockSize < s.window.limit()
	return s.window.jumps >= scattered && length <= mostPiece && len(s.pieces[i]) < mostPieces && !coming &&
		s.blocks[i] == nil && !s.sums.known(i) && !s.whole && !s.gone && !s.kept && s.given.count+1 < blocksOf(s.size)
}

// readPieceLocked reads a piece of block i. It does not if the block comes first. A piece is for one
// reader, so its request ends with ctx.
func (s *Source) readPieceLocked(ctx context.Context, i int64, dest []byte, off int64) (got bool, err error) {
	if err := s.giveLocked(ctx, i); err != nil {
		return false, err
	}
	f := new(attempt)
	s.singles[i] = f
	err = s.fetchPieceLocked(ctx, dest, off)
	if got = err == nil && !s.sums.known(i) && !s.kept; got {
		s.pieces[i] = append(s.pieces[i], piece{off, int64(len(dest)), crc32.Checksum(dest, castagnoli)})
	}
	f.done = true
	delete(s.singles, i)
	s.wakeLocked()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	f.err = s.refusedLocked(err)
	return got, cmp.Or(s.err, f.err)
}

// fetchPieceLocked fetches what the content has from off. It releases Pool.mu.
func (s *Source) fetchPieceLocked(ctx context.Context, data []byte, off int64) error {
	p := s.pool
	p.work.Add(1)
	p.mu.Unlock()
	defer p.work.Done()
	defer p.mu.Lock()
	ctx, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(p.base, end)()
	r, _, err := s.ask(ctx, off, off+int64(len(data)))
	if err != nil {
		return err
	}
	defer r.Close()
	if _, err := io.ReadFull(r, data); err != nil {
		return s.short(err)
	}
	return nil
}
