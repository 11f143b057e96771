package catalogue

import (
	"runtime/debug"
	"sync"
)

// A tree of a million nodes takes a hundred megabytes, and what is left behind
// while it is read would take as much again before the collector comes.
const (
	// sparePercent is the collector's GOGC while a tree is read.
	sparePercent = 15
	// largeTree is how many nodes make it worth while to give back at once what
	// the reading left behind, and the tree before.
	largeTree = 100_000
)

// sparing is the one setting of the process, for all catalogues in it.
var sparing struct {
	sync.Mutex
	readers int
	percent int // what it was
}

// spare has the collector come often until done is called.
func spare() (done func()) {
	sparing.Lock()
	defer sparing.Unlock()
	if sparing.readers++; sparing.readers == 1 {
		sparing.percent = debug.SetGCPercent(sparePercent)
	}
	return func() {
		sparing.Lock()
		defer sparing.Unlock()
		if sparing.readers--; sparing.readers == 0 {
			debug.SetGCPercent(sparing.percent)
		}
	}
}

// giveBack is called when a tree was read and nobody waits for it any more: it
// takes a while.
func giveBack(s *Snapshot) {
	if s != nil && s.Len() > largeTree {
		debug.FreeOSMemory()
	}
}
