package media

import (
	"database/sql"

	"paperfs/cache/media/crash"
	"paperfs/cache/media/lock"
)

// halfMoves remembers the renames of published files that are under way, so
// that one which the end of the process cuts between the upload and the
// deletion is ended by the next.
type halfMoves struct {
	db *sql.DB

	mu   lock.Mutex[lock.Moves]
	left map[Ino]halfMove // guarded by mu: of an earlier run
}

// halfMove is where a file goes.
type halfMove struct {
	dir  Ino
	name string
}

func (h *halfMoves) load() error {
	h.left = make(map[Ino]halfMove)
	rows, err := h.db.Query("SELECT ino, dir, name FROM media_move")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var ino Ino
		var to halfMove
		if err := rows.Scan(&ino, &to.dir, &to.name); err != nil {
			return err
		}
		h.left[ino] = to
	}
	return rows.Err()
}

func (h *halfMoves) begin(ino Ino, to halfMove) error {
	_, err := h.db.Exec("INSERT OR REPLACE INTO media_move (ino, dir, name) VALUES (?,?,?)", ino, to.dir, to.name)
	crash.At("move begun")
	return err
}

// end is durable when it returns: a move that is over must not be ended again,
// when what is at its places may be somebody's copy.
func (h *halfMoves) end(ino Ino) error {
	_, err := h.db.Exec("DELETE FROM media_move WHERE ino = ?", ino)
	crash.At("move ended")
	return err
}

// take returns those that an earlier run left, once.
func (h *halfMoves) take() map[Ino]halfMove {
	h.mu.Lock()
	defer h.mu.Unlock()
	left := h.left
	h.left = nil
	return left
}
