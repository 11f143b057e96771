package media

import (
	"os"
	"sync"

	"paperfs/remote"
)

const (
	// followFrom is how long a spool is before it is followed, in bytes: what is
	// shorter is measured in no time.
	followFrom = 4 << 20
	// followPiece is how much is read at a time.
	followPiece = 1 << 20
)

// follower measures a spool while that becomes longer, so that an upload need
// not read it once before it sends. A write to what is there ends it: such
// content is measured as a whole.
type follower struct {
	f *os.File

	mu      sync.Mutex
	more    *sync.Cond
	written int64 // guarded by mu: bytes that may be read
	whole   bool  // guarded by mu: somebody waits for all of them
	ended   bool  // guarded by mu
	read    int64 // guarded by mu: bytes that the measure has
	measure *remote.Measure
}

func follow(f *os.File) *follower {
	fo := &follower{f: f, measure: remote.NewMeasure()}
	fo.more = sync.NewCond(&fo.mu)
	go fo.run()
	return fo
}

func (fo *follower) run() {
	piece := make([]byte, followPiece)
	for {
		n := fo.next()
		if n == 0 {
			return
		}
		_, err := fo.f.ReadAt(piece[:n], fo.read)
		if err != nil {
			fo.end() // closed; another failure shows when the content is sent
			return
		}
		_, _ = fo.measure.Write(piece[:n]) // as of a hash
		fo.mu.Lock()
		fo.read += int64(n)
		fo.mu.Unlock()
		fo.more.Broadcast()
	}
}

// next waits for something to read and tells how much; 0 at the end.
func (fo *follower) next() int {
	fo.mu.Lock()
	defer fo.mu.Unlock()
	for {
		n := fo.written - fo.read
		switch {
		case fo.ended:
			return 0
		case n >= followPiece:
			return followPiece
		case n > 0 && fo.whole:
			return int(n)
		}
		fo.more.Wait()
	}
}

// wrote tells how long the spool is now.
func (fo *follower) wrote(size int64) {
	fo.mu.Lock()
	fo.written, fo.whole = size, false
	fo.mu.Unlock()
	fo.more.Broadcast()
}

func (fo *follower) end() {
	fo.mu.Lock()
	fo.ended = true
	fo.mu.Unlock()
	fo.more.Broadcast()
}

// all is the measure of the first size bytes; nil where that is not to be had.
// Nothing may be written until the measure was used.
func (fo *follower) all(size int64) *remote.Measure {
	if fo == nil {
		return nil
	}
	fo.mu.Lock()
	defer fo.mu.Unlock()
	if fo.written != size {
		return nil
	}
	fo.whole = true
	fo.more.Broadcast()
	for fo.read < fo.written && !fo.ended {
		fo.more.Wait()
	}
	if fo.ended {
		return nil
	}
	return fo.measure
}

// followWrite follows sp from a length on while all writes are at its end, as
// one of n bytes at off was or was not; sp.size is the length before it.
func (sp *spool) followWrite(off int64, n int) {
	if off != sp.size {
		sp.changed = true
		sp.unfollow()
	}
	if sp.changed {
		return
	}
	end := off + int64(n)
	if sp.follow == nil && end >= followFrom {
		sp.follow = follow(sp.f)
	}
	if sp.follow != nil {
		sp.follow.wrote(end)
	}
}

func (sp *spool) unfollow() {
	if sp.follow != nil {
		sp.follow.end()
		sp.follow = nil
	}
}
