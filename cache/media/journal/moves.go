package journal

import (
	"database/sql"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/inode"
	"paperfs/cache/media/lock"
)

// Moves remembers the renames of published files that are under way, so
// that one which the end of the process cuts between the upload and the
// deletion is ended by the next.
type Moves struct {
	DB *sql.DB

	mu   lock.Mutex[lock.Moves]
	left map[inode.Ino]Move // guarded by mu: of an earlier run
}

// Move is where a file goes.
type Move struct {
	Dir  inode.Ino
	Name string
}

func (h *Moves) Load() error {
	h.left = make(map[inode.Ino]Move)
	rows, err := h.DB.Query("SELECT ino, dir, name FROM media_move")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var ino inode.Ino
		var to Move
		if err := rows.Scan(&ino, &to.Dir, &to.Name); err != nil {
			return err
		}
		h.left[ino] = to
	}
	return rows.Err()
}

// Any reports whether an earlier run left some.
func (h *Moves) Any() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.left) > 0
}

func (h *Moves) Begin(ino inode.Ino, to Move) error {
	_, err := h.DB.Exec("INSERT OR REPLACE INTO media_move (ino, dir, name) VALUES (?,?,?)", ino, to.Dir, to.Name)
	crash.At("move begun")
	return err
}

// End is durable when it returns: a move that is over must not be ended again,
// when what has its names may be somebody's copy.
func (h *Moves) End(ino inode.Ino) error {
	_, err := h.DB.Exec("DELETE FROM media_move WHERE ino = ?", ino)
	crash.At("move ended")
	return err
}

// Take returns those that an earlier run left, once.
func (h *Moves) Take() map[inode.Ino]Move {
	h.mu.Lock()
	defer h.mu.Unlock()
	left := h.left
	h.left = nil
	return left
}
