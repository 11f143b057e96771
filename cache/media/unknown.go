package media

import (
	"database/sql"
	"sync"
)

// unknown remembers places whose last upload had an unknown outcome: it may
// still take effect at the service after the next one did.
type unknown struct {
	db *sql.DB

	mu  sync.Mutex
	set map[servicePlace]bool // guarded by mu
}

// servicePlace is a name at the service.
type servicePlace struct {
	dir  int64
	name string // folded
}

func (u *unknown) load() error {
	u.set = make(map[servicePlace]bool)
	rows, err := u.db.Query("SELECT parent, name FROM media_unknown")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var p servicePlace
		if err := rows.Scan(&p.dir, &p.name); err != nil {
			return err
		}
		u.set[p] = true
	}
	return rows.Err()
}

func (u *unknown) has(p servicePlace) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.set[p]
}

func (u *unknown) add(p servicePlace) error {
	u.mu.Lock()
	u.set[p] = true
	u.mu.Unlock()
	_, err := u.db.Exec("INSERT OR IGNORE INTO media_unknown (parent, name) VALUES (?,?)", p.dir, p.name)
	return err
}

func (u *unknown) remove(p servicePlace) error {
	u.mu.Lock()
	delete(u.set, p)
	u.mu.Unlock()
	_, err := u.db.Exec("DELETE FROM media_unknown WHERE parent = ? AND name = ?", p.dir, p.name)
	return err
}
