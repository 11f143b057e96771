package media

import (
	"context"
	"sync"
	"time"
)

// readers are the files that are open for reading. Who has one open and looks no
// name up, as `tail -f`, asks for nothing that has an old tree read again: so
// that is looked at here, for as long as there is one. What has changed is then
// notified, as ever.
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
