package document

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"

	"paperfs/cache/notify"
)

// saver writes the answers to a file, so that the next mount has them.
type saver struct {
	path string // "" saves nothing
	log  *slog.Logger

	dirty notify.Bell // signals that there are unsaved answers
	end   context.CancelFunc
	ended chan struct{}

	mu    sync.Mutex
	epoch uint64 // guarded by mu; incremented when answers collected earlier must not be saved
}

// discard removes the file after a local write has made answers stale: they must not come
// back after a crash either.
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
	k.dirty.Ring()
}
