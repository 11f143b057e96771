package media

import (
	"context"
	"sync"
	"time"
)

// readers counts the files that are open for reading. A program that only keeps a file
// open, such as `tail -f`, makes no call that would refresh an old tree. So readers checks
// the age of the tree while a file is open. The kernel gets the notices of changes as
// usual.
type readers struct {
	readMu sync.Mutex
	open   int         // guarded by readMu
	timer  *time.Timer // guarded by readMu: runs while a file is open
}

// minCheckInterval is the shortest interval between two checks of the tree's age.
const minCheckInterval = time.Second

// readBegins records that a file was opened for reading.
func (t *tree) readBegins() {
	t.readMu.Lock()
	defer t.readMu.Unlock()
	if t.open++; t.open == 1 {
		t.timer = time.AfterFunc(max(t.store.TTL(), minCheckInterval), t.refreshIfOld)
	}
}

// readEnds records the RELEASE of such a file.
func (t *tree) readEnds() {
	t.readMu.Lock()
	defer t.readMu.Unlock()
	if t.open--; t.open == 0 {
		t.timer.Stop()
	}
}

// refreshIfOld refreshes the tree in the background if it is too old.
func (t *tree) refreshIfOld() {
	if t.store.Ready() {
		_ = t.store.Await(context.Background()) // waits only for the first tree
	}
	t.readMu.Lock()
	defer t.readMu.Unlock()
	if t.open > 0 {
		t.timer.Reset(max(t.store.TTL(), minCheckInterval))
	}
}
