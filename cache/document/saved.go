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

func (l *Cache) keepSaved(ctx context.Context) {
	defer close(l.saver.ended)
	snapshot.Keep(ctx, l.saver.dirty, savePause, func(bool) bool {
		l.save()
		return true
	})
}

// Close saves the answers in memory, so that the next mount has them.
func (l *Cache) Close() error {
	if l.saver.path != "" {
		l.saver.end()
		<-l.saver.ended
	}
	return nil
}

func (l *Cache) save() {
	k := &l.saver
	k.mu.Lock()
	epoch := k.epoch
	k.mu.Unlock()
	temporary := k.path + ".tmp"
	err := writeSaved(temporary, append(l.lists.all(), l.documents.all()...))
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
func (l *Cache) loadSaved() {
	answers, err := readSaved(l.saver.path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		l.log.Warn("saved documents are ignored", "file", l.saver.path, "reason", err)
		return
	}
	now := l.now()
	for _, a := range answers {
		if a.value == nil || a.fetched.After(now) {
			continue
		}
		m := l.documents
		if a.doc == DocSettingDescriptions || a.doc == docFields {
			m = l.lists
		}
		a.slept = m.slept() // the age of an answer from an earlier run is measured by wall-clock time alone
		m.mu.Lock()
		m.addLocked(a.key, a.entry)
		m.mu.Unlock()
	}
}
