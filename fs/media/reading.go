package media

import (
	"context"
	"sync"
	"time"
)

// readers are the files that are open for reading. A program that only keeps a file
// open, as `tail -f`, makes no call that would refresh an old tree. So readers checks
// the age of the tree as long as a file is open. The kernel is then told of changes
// as usual.
type readers struct {
	readMu sync.Mutex
	open   int         // guarded by readMu
	look   *time.Timer // guarded by readMu: runs while one is open
}

// soonest is how often the tree's age is looked at at the most.
const soonest = time.Second

// readBegins notes that a file was opened for reading.
func (t *tree) readBegins() {
	t.readMu.Lock()
	defer t.readMu.Unlock()
	if t.open++; t.open == 1 {
		t.look = time.AfterFunc(max(t.store.TTL(), soonest), t.lookAgain)
	}
}

// readEnds notes its release.
func (t *tree) readEnds() {
	t.readMu.Lock()
	defer t.readMu.Unlock()
	if t.open--; t.open == 0 {
		t.look.Stop()
	}
}

// lookAgain has the tree read again, in the background, if it is too old.
func (t *tree) lookAgain() {
	if t.store.Ready() {
		_ = t.store.Await(context.Background()) // it waits for the first tree alone
	}
	t.readMu.Lock()
	defer t.readMu.Unlock()
	if t.open > 0 {
		t.look.Reset(max(t.store.TTL(), soonest))
	}
}
