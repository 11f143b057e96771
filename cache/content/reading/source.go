package reading

import (
	"cmp"
	"container/list"
	"context"
	"hash"
	"io"
	"math"
	"os"
	"sync"
)

// Source is the content of one version of a file. It is safe for concurrent use.
type Source struct {
	pool    *Pool
	version Version

	creating sync.Mutex // held while the file is created; Pool.mu is taken under it

	// The rest is guarded by Pool.mu.

	openers int
	idling  *list.Element // in Pool.idle
	dropped bool          // nothing of it is here any more
	begun   bool          // an answer told what there is, since it was opened
	size    int64         // -1: not known yet
	tag     string        // strong ETag
	whole   bool          // the service gives no parts, or no strong ETags: one answer has all bytes
	err     error         // nothing can be read any more
	gone    bool          // what is missing cannot be fetched: the service has another version
	hurried bool          // the same may come soon: the stream goes on to the end

	disk    *os.File // sparse; nil: not created
	noDisk  bool     // it takes no more blocks
	blocks  map[int64]*block
	given   blockSet // to readers
	sums    checksums
	pieces  map[int64][]piece // given out of blocks that have never come
	storing map[int64]bool    // blocks that are being written
	keeping bool              // the Keeper is taking disk over: no block of it may go
	kept    bool              // disk is a whole file, and blocks is empty
	own     os.FileInfo       // of the service's own file, which disk is while somebody has it open; nil: disk is another
	unpin   func()            // ends the use of such a file

	hash     hash.Hash
	hashed   int64 // how many blocks the hash has passed
	hashing  bool
	verified bool
	sum      string // SHA-256 of all, once verified

	window  window
	next    int64 // block that the stream fetches next
	stream  *stream
	singles map[int64]*attempt
	awaited map[int64]int // blocks for which reads wait, by how many
	judging int           // reads that wait for the verdict on the whole
	used    uint64        // Pool.clock at the last read
	changed chan struct{} // closed when something changes
}

// Begin waits until the service has told what the content is, for which it asks for the first
// piece, if that is not here. A ErrSuperseded or a DamagedError is a reason to look at the tree
// again.
func (s *Source) Begin(ctx context.Context) error {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.beginLocked(ctx)
}

// Ready reports whether a program can write over the content while it comes: Begin has succeeded, and a
// file that has all of it here has been judged.
func (s *Source) Ready() bool {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.err == nil && s.begun && s.size >= 0 && (s.verified || !s.kept)
}

// Size returns the size, -1 if it is not known yet.
func (s *Source) Size() int64 {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.size
}

// Err returns why nothing can be read any more, nil if something can.
func (s *Source) Err() error {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.err
}

// Reads reports whether this is the content of v.
func (s *Source) Reads(v Version) bool {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	sum := cmp.Or(s.version.SHA256, s.sum)
	if sum != v.SHA256 {
		return false
	}
	return sum != "" || s.version.Address == v.Address && (s.size < 0 || v.Size < 0 || s.size == v.Size)
}

// Verified returns the SHA-256 of the content, once all of it has come and is right.
func (s *Source) Verified() (sha256 string, ok bool) {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.sum, s.verified
}

// ReadAt reads as io.ReaderAt does. The end of ctx ends the wait at once. The error is
// ErrSuperseded, a DamagedError, or one of the service.
func (s *Source) ReadAt(ctx context.Context, dest []byte, off int64) (n int, err error) {
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := s.beginLocked(ctx); err != nil {
		return 0, err
	}
	end := min(off+int64(len(dest)), s.size)
	if off >= end {
		if s.size == 0 {
			err = s.emptyLocked(ctx)
		}
		if err == nil && len(dest) > 0 {
			err = io.EOF
		}
		return 0, err
	}
	if err := s.readPartLocked(ctx, dest, off, end); err != nil {
		return 0, err // the kernel would take a short answer for the end of the file
	}
	if n = int(end - off); n < len(dest) {
		err = io.EOF
	}
	return n, err
}

// ReadHere is ReadAt of what is here. It reports false if ReadAt may have to wait, or ends with an error.
func (s *Source) ReadHere(dest []byte, off int64) (n int, ok bool) {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	end := min(off+int64(len(dest)), s.size)
	if !s.begun || s.err != nil || off >= end || !s.kept && !s.hereLocked(off, end) {
		return 0, false
	}
	err := s.readPartLocked(noWait, dest, off, end) // a block may go in between
	return int(end - off), err == nil
}

// noWait is a context that is over.
var noWait = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// hereLocked reports whether all blocks of a part are here and may be given out.
func (s *Source) hereLocked(off, end int64) bool {
	var more int64 // than were given out before
	for i := off / blockSize; i < blocksOf(end); i++ {
		if s.blocks[i] == nil {
			return false
		}
		if !s.given.has(i) {
			more++
		}
	}
	return s.verified || s.version.SHA256 == "" || more == 0 || s.given.count+more < blocksOf(s.size)
}

func (s *Source) readPartLocked(ctx context.Context, dest []byte, off, end int64) error {
	s.pool.clock++
	s.used = s.pool.clock
	s.window.note(off, end)
	s.pokeLocked()
	for at := off; at < end; {
		i := at / blockSize
		stop := min((i+1)*blockSize, end)
		if err := s.readLocked(ctx, i, dest[at-off:stop-off], at); err != nil {
			return err
		}
		at = stop
	}
	return nil
}

// readLocked reads within block i. It releases Pool.mu while it waits or reads a file.
func (s *Source) readLocked(ctx context.Context, i int64, dest []byte, off int64) error {
	if s.aloneLocked(i, int64(len(dest))) {
		if got, err := s.readPieceLocked(ctx, i, dest, off); got || err != nil {
			return err
		}
	}
	s.awaited[i]++
	defer s.metLocked(i)
	if err := s.giveLocked(ctx, i); err != nil {
		return err
	}
	for !s.kept {
		b, err := s.needLocked(ctx, i)
		if err != nil {
			return err
		}
		if b == nil {
			continue
		}
		if b.data != nil {
			copy(dest, b.data[off-i*blockSize:])
		} else {
			err = s.readFileLocked(dest, off)
		}
		s.pool.unpinLocked(b, true)
		if err == nil {
			return nil
		}
		s.unreadableLocked(b)
	}
	return s.readFileLocked(dest, off)
}

func (s *Source) readFileLocked(dest []byte, off int64) error {
	f := s.disk
	s.pool.mu.Unlock()
	defer s.pool.mu.Lock()
	_, err := f.ReadAt(dest, off)
	if err != nil && s.own != nil {
		return ownError(err)
	}
	return err
}

// Reader returns a reader of all of the content.
func (s *Source) Reader(ctx context.Context) io.Reader {
	return io.NewSectionReader(readerAt{s, ctx}, 0, math.MaxInt64)
}

type readerAt struct {
	source *Source
	ctx    context.Context
}

func (r readerAt) ReadAt(p []byte, off int64) (int, error) { return r.source.ReadAt(r.ctx, p, off) }

// Supersede tells that the service has another version by now. What an answer under way still
// brings of this one is fetched as long as there is room.
func (s *Source) Supersede() {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	s.hurried = true
	s.wakeLocked()
	if s.openers == 0 {
		s.dropLocked()
	}
}
