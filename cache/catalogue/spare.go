package catalogue

import (
	"runtime/debug"
	"sync"
)

// A tree of a million nodes takes a hundred megabytes. The garbage of reading it would
// take the same again before the collector runs.
const (
	// sparePercent is the collector's GOGC while a tree is read.
	sparePercent = 15
	// largeTree is the number of nodes above which the memory of the garbage, and of the
	// previous tree, is returned to the system at once.
	largeTree = 100_000
)

// sparing guards the collector's setting: all catalogues of the process share one.
var sparing struct {
	sync.Mutex
	readers int
	percent int // the setting to restore
}

// spare makes the collector run often until done is called.
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

// giveBack returns memory to the system. It is slow, so it is called after the tree is
// installed, while no caller waits for it.
func giveBack(s *Snapshot) {
	if s != nil && s.Len() > largeTree {
		debug.FreeOSMemory()
	}
}
