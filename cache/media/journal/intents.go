package journal

import (
	"database/sql"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/inode"
	"paperfs/cache/media/lock"
)

// Intents records renames of published files in progress, so that the next run can complete one
// that was interrupted between the upload and the deletion.
type Intents struct {
	DB *sql.DB

	mu     lock.Mutex[lock.Intents]
	replay map[inode.Ino]Intent // guarded by mu: from an earlier run
}

// Intent is the destination of a file.
type Intent struct {
	Dir  inode.Ino
	Name string
}

// Load reads the intents of an earlier run.
func (h *Intents) Load() error {
	h.replay = make(map[inode.Ino]Intent)
	rows, err := h.DB.Query("SELECT ino, dir, name FROM media_move")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var ino inode.Ino
		var to Intent
		if err := rows.Scan(&ino, &to.Dir, &to.Name); err != nil {
			return err
		}
		h.replay[ino] = to
	}
	return rows.Err()
}

// Any reports whether an earlier run left intents.
func (h *Intents) Any() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.replay) > 0
}

// Begin records an intent.
func (h *Intents) Begin(ino inode.Ino, to Intent) error {
	_, err := h.DB.Exec("INSERT OR REPLACE INTO media_move (ino, dir, name) VALUES (?,?,?)", ino, to.Dir, to.Name)
	crash.At("move begun")
	return err
}

// End removes an intent durably: a completed move must not be replayed later, when its names
// may belong to someone's copy.
func (h *Intents) End(ino inode.Ino) error {
	_, err := h.DB.Exec("DELETE FROM media_move WHERE ino = ?", ino)
	crash.At("move ended")
	return err
}

// Take returns the intents of an earlier run, once.
func (h *Intents) Take() map[inode.Ino]Intent {
	h.mu.Lock()
	defer h.mu.Unlock()
	replay := h.replay
	h.replay = nil
	return replay
}
