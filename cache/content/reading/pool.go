package reading

import (
	"container/list"
	"context"
	"crypto/sha256"
	"errors"
	"sync"

	"golang.org/x/sys/unix"

	"paperfs/cache/content/lock"
)

const (
	firstPiece  = 1536 << 10 // how many bytes the first request asks for
	mostStreams = 8
	mostIdle    = 256 // most have a file open
)

// mayIdle returns how many sources may stay that nobody has open: with at most a quarter of the descriptors that the process
// may have. Connections, databases and what programs have open need some, too.
func mayIdle() int {
	var files unix.Rlimit
	_ = unix.Getrlimit(unix.RLIMIT_NOFILE, &files)
	return int(min(mostIdle, files.Cur/4))
}

var errClosed = errors.New("the mount ends")

// Pool has the sources, what they may use together, and the streams.
type Pool struct {
	service Service
	keeper  Keeper
	base    context.Context
	end     context.CancelFunc
	work    sync.WaitGroup

	mu      lock.Mutex[lock.Reading] // guards the rest, and all sources
	sources map[*Source]bool
	idle    list.List        // of sources that nobody has open, least recently closed first
	streams []*stream        // under way
	blocks  [4]list.List     // see blockList
	memory  int64            // how many blocks are in memory
	spare   int64            // room for so many blocks is taken from the Keeper and not used
	hungry  map[*Source]bool // wait for room, or for a stream
	clock   uint64           // counts reads
	sumTags bool             // the service's ETags have turned out to be SHA-256 sums
}

// NewPool creates a pool.
func NewPool(service Service, keeper Keeper) *Pool {
	p := &Pool{service: service, keeper: keeper, sources: make(map[*Source]bool), hungry: make(map[*Source]bool)}
	p.base, p.end = context.WithCancel(context.Background())
	return p
}

// Open creates a source for a version. The caller calls Source.Release in the end. It sends no request.
func (p *Pool) Open(v Version) *Source {
	s := &Source{
		pool: p, version: v, openers: 1, size: v.Size, hash: sha256.New(),
		blocks: make(map[int64]*block), sums: make(checksums), pieces: make(map[int64][]piece), singles: make(map[int64]*attempt),
		awaited: make(map[int64]int), storing: make(map[int64]bool), changed: make(chan struct{}),
	}
	if v.SHA256 != "" {
		if f, release, err := p.keeper.Find(v.SHA256); err == nil {
			if info, err := f.Stat(); err == nil {
				s.disk, s.unpin, s.size = f, release, info.Size()
				s.kept, s.verified, s.begun, s.sum = true, true, true, v.SHA256
			}
		} else if f, info := v.openOwn(); f != nil {
			s.ownOf(f, info)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sources[s] = true
	p.clock++
	s.used = p.clock
	if p.base.Err() != nil {
		s.err = errClosed
	}
	return s
}

// Reopen adds a user, as Open does. False: nothing of it is here any more; what a program read
// before may have been anything.
func (s *Source) Reopen() bool {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	if !s.dropped && s.own != nil && s.disk == nil && !s.ownAgainLocked() && s.openers == 0 {
		s.dropLocked()
	}
	if s.dropped || s.err != nil {
		return false
	}
	if s.openers++; s.openers > 1 {
		return true
	}
	s.unidleLocked()
	s.pool.clock++
	s.used = s.pool.clock
	s.window = window{}
	if s.stream == nil {
		s.begun = s.kept || s.blocks[0] != nil && s.given.has(0) // what came for nobody spares no question
		s.next = 0
		for s.blocks[s.next] != nil {
			s.next++
		}
	}
	return true
}

// Release ends a use of a source. What is here of it stays, as long as there is room.
func (s *Source) Release() {
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.openers--; s.openers > 0 {
		return
	}
	if s.err != nil || s.gone || s.hurried || !s.worthLocked() {
		s.dropLocked()
		return
	}
	if s.own != nil {
		_ = s.disk.Close()
		s.disk = nil
	}
	if st := s.stream; st != nil && (st.to == 0 || s.window.furthest == 0 || s.window.aside.reads > 0) {
		p.stopLocked(st) // else the rest of the first piece comes, and the connection stays
	}
	for _, b := range s.blocks {
		p.abandonLocked(b)
	}
	s.idling = p.idle.PushBack(s)
	s.wakeLocked()
	for p.idle.Len() > mayIdle() {
		p.idle.Front().Value.(*Source).dropLocked()
	}
}

// worthLocked reports whether what is here, or is known, of a source is of use to who opens it again.
func (s *Source) worthLocked() bool {
	if s.own != nil {
		return s.verified || s.given.count > 0
	}
	return !s.kept && (len(s.blocks) > 0 || s.stream != nil)
}

// abandonLocked makes a block that was fetched ahead one that can go.
func (p *Pool) abandonLocked(b *block) {
	if b.entry != nil && !b.read {
		p.unlistLocked(b)
		b.read = true
		p.listLocked(b)
	}
	b.read = true
}

// Go calls f, which reads sources, in the background. Close waits for it once its sources are dropped.
func (p *Pool) Go(f func()) { p.work.Go(f) }

// Evict drops blocks until n bytes of the disk are free, as far as possible.
func (p *Pool) Evict(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n -= p.spare * blockSize; n > 0 && (p.evictLocked(false, true) || p.evictLocked(false, false)); n -= blockSize {
	}
	p.keeper.Give(p.spare * blockSize)
	p.spare = 0
}

// Close ends all requests and drops what is here. It waits for their end.
func (p *Pool) Close() {
	p.end()
	p.mu.Lock()
	for s := range p.sources {
		s.dropLocked()
	}
	p.mu.Unlock()
	p.work.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keeper.Give(p.spare * blockSize)
	p.spare = 0
}
