package catalogue

import (
	"runtime/debug"
	"sync"
)

// A tree of a million nodes takes a hundred megabytes. The garbage of reading it would
// take the same again before the collector runs.
const (
	// limitedGCPercent is the collector's GOGC while a tree is read.
	limitedGCPercent = 15
	// largeTree is the number of nodes above which the memory of the garbage, and of the
	// previous tree, is returned to the system at once.
	largeTree = 100_000
)

// gcLimit guards the collector's setting: all catalogues of the process share one.
var gcLimit struct {
	sync.Mutex
	readers int
	percent int // the setting to restore
}

// limitGarbage makes the collector run often until done is called.
func limitGarbage() (done func()) {
	gcLimit.Lock()
	defer gcLimit.Unlock()
	if gcLimit.readers++; gcLimit.readers == 1 {
		gcLimit.percent = debug.SetGCPercent(limitedGCPercent)
	}
	return func() {
		gcLimit.Lock()
		defer gcLimit.Unlock()
		if gcLimit.readers--; gcLimit.readers == 0 {
			debug.SetGCPercent(gcLimit.percent)
		}
	}
}

// releaseMemory returns memory to the system. It is slow, so it is called after the tree is
// installed, while no caller waits for it.
func releaseMemory(s *Snapshot) {
	if s != nil && s.Len() > largeTree {
		debug.FreeOSMemory()
	}
}
