package journal

import (
	"database/sql"
	"maps"

	"paperfs/cache/media/lock"
	"paperfs/cache/media/tree"
)

// Unknown records names at the service whose last upload has an unknown outcome: it may still
// take effect, even after the next upload.
type Unknown struct {
	DB *sql.DB

	mu  lock.Mutex[lock.Unknown]
	set map[ServiceName]string // guarded by mu: the name as stored in the database
}

// ServiceName is a name at the service.
type ServiceName struct {
	dir  int64
	name string // folded
}

// NameAt returns the name in a directory of the service.
func NameAt(dir int64, name string) ServiceName { return ServiceName{dir, tree.Fold(name)} }

// SQL to add and to remove a name.
const (
	noteUnknown = "INSERT OR IGNORE INTO media_unknown (parent, name) VALUES (?,?)"
	dropUnknown = "DELETE FROM media_unknown WHERE parent = ? AND name = ?"
)

func (u *Unknown) Load() error {
	u.set = make(map[ServiceName]string)
	rows, err := u.DB.Query("SELECT parent, name FROM media_unknown")
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
		u.set[ServiceName{dir, tree.Fold(name)}] = name // earlier versions folded names differently
	}
	return rows.Err()
}

// Names returns the names.
func (u *Unknown) Names() map[ServiceName]string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return maps.Clone(u.set)
}

// Any reports whether there is any.
func (u *Unknown) Any() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.set) > 0
}

// Clear forgets all names, because the service's ids now stand for other things.
func (u *Unknown) Clear() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, err := u.DB.Exec("DELETE FROM media_unknown")
	if err == nil {
		clear(u.set)
	}
	return err
}

func (u *Unknown) Has(p ServiceName) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, there := u.set[p]
	return there
}

func (u *Unknown) Add(p ServiceName) error {
	u.mu.Lock()
	u.set[p] = p.name
	u.mu.Unlock()
	_, err := u.DB.Exec(noteUnknown, p.dir, p.name)
	return err
}

func (u *Unknown) Remove(p ServiceName) error {
	u.mu.Lock()
	name := u.set[p]
	delete(u.set, p)
	u.mu.Unlock()
	_, err := u.DB.Exec(dropUnknown, p.dir, name)
	return err
}
