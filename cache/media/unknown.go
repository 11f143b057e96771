package media

import (
	"database/sql"

	"paperfs/cache/media/lock"
)

// unknown remembers places whose last upload had an unknown outcome: it may
// still take effect at the service after the next one did.
type unknown struct {
	db *sql.DB

	mu  lock.Mutex[lock.Unknown]
	set map[servicePlace]string // guarded by mu: the name as it is stored
}

// servicePlace is a name at the service.
type servicePlace struct {
	dir  int64
	name string // folded
}

// How a place is kept, and dropped.
const (
	noteUnknown = "INSERT OR IGNORE INTO media_unknown (parent, name) VALUES (?,?)"
	dropUnknown = "DELETE FROM media_unknown WHERE parent = ? AND name = ?"
)

func (u *unknown) load() error {
	u.set = make(map[servicePlace]string)
	rows, err := u.db.Query("SELECT parent, name FROM media_unknown")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var dir int64
		var name string
		if err := rows.Scan(&dir, &name); err != nil {
			return err
		}
		u.set[servicePlace{dir, fold(name)}] = name // earlier versions folded to other letters
	}
	return rows.Err()
}

func (u *unknown) has(p servicePlace) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, there := u.set[p]
	return there
}

func (u *unknown) add(p servicePlace) error {
	u.mu.Lock()
	u.set[p] = p.name
	u.mu.Unlock()
	_, err := u.db.Exec(noteUnknown, p.dir, p.name)
	return err
}

func (u *unknown) remove(p servicePlace) error {
	u.mu.Lock()
	name := u.set[p]
	delete(u.set, p)
	u.mu.Unlock()
	_, err := u.db.Exec(dropUnknown, p.dir, name)
	return err
}
