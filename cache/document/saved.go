package document

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"paperfs/cache/snapshot"
)

// savePause is the least time between two saves.
const savePause = 30 * time.Second

func (c *Cache) keepSaved(ctx context.Context) {
	defer close(c.saver.ended)
	snapshot.Keep(ctx, c.saver.dirty, savePause, func(bool) bool {
		c.save()
		return true
	})
}

// Close saves the answers in memory, so that the next mount has them.
func (c *Cache) Close() error {
	if c.saver.path != "" {
		c.saver.end()
		<-c.saver.ended
	}
	return nil
}

func (c *Cache) save() {
	k := &c.saver
	k.mu.Lock()
	epoch := k.epoch
	k.mu.Unlock()
	temporary := k.path + ".tmp"
	err := writeSaved(temporary, append(c.lists.all(), c.documents.all()...))
	if err == nil {
		k.mu.Lock()
		if epoch == k.epoch {
			err = os.Rename(temporary, k.path)
		}
		k.mu.Unlock()
	}
	if err != nil {
		k.log.Warn("documents cannot be saved", "file", k.path, "error", err)
	}
}

// loadSaved loads the file into memory.
func (c *Cache) loadSaved() {
	answers, err := readSaved(c.saver.path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		c.log.Warn("saved documents are ignored", "file", c.saver.path, "reason", err)
		return
	}
	now := c.now()
	for _, a := range answers {
		if a.value == nil || a.fetched.After(now) {
			continue
		}
		m := c.documents
		if a.doc == DocSettingDescriptions || a.doc == docFields {
			m = c.lists
		}
		a.slept = m.slept() // the age of an answer from an earlier run is measured by wall-clock time alone
		m.mu.Lock()
		m.addLocked(a.key, a.entry)
		m.mu.Unlock()
	}
}
