package document

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"
)

// keeper keeps answers in a file between mounts.
type saver struct {
	path string // "" keeps nothing
	log  *slog.Logger

	dirty chan struct{} // there is something to save
	end   context.CancelFunc
	ended chan struct{}

	mu    sync.Mutex
	epoch uint64 // guarded by mu: grows when what was collected before must not be saved
}

// changed is called after an answer was added.
func (k *saver) changed() {
	select {
	case k.dirty <- struct{}{}:
	default:
	}
}

// forgotten is called after answers were forgotten because something was
// written: they must not come back after a crash either.
func (k *saver) discard() {
	if k.path == "" {
		return
	}
	k.mu.Lock()
	k.epoch++
	err := os.Remove(k.path)
	k.mu.Unlock()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		k.log.Warn("saved documents cannot be removed", "file", k.path, "error", err)
	}
	k.changed()
}
