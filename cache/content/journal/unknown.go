package journal

import (
	"database/sql"
	"errors"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
)

// ServiceName is a name at the service.
type ServiceName struct {
	dir  int64
	name string // folded
}

// NameAt returns the name in a directory of the service.
func NameAt(dir int64, name string) ServiceName { return ServiceName{dir, tree.Fold(name)} }

// SQL to add and to remove a name.
const (
	noteUnknown = "INSERT OR REPLACE INTO media_unknown (parent, name, sha256) VALUES (?,?,?)"
	dropUnknown = "DELETE FROM media_unknown WHERE parent = ? AND name = ?"
)

// LoadUnknown returns the noted names: those at the service whose last upload has an unknown
// outcome, with the digest of what it sent. It may still take effect, even after the next upload.
func LoadUnknown(db *sql.DB) (map[ServiceName]inode.Digest, error) {
	rows, err := db.Query("SELECT parent, name, sha256 FROM media_unknown")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	set := make(map[ServiceName]inode.Digest)
	old := make(map[ServiceName]string) // by what they are now: earlier versions folded names differently
	for rows.Next() {
		var dir int64
		var name, sum string
		if err := rows.Scan(&dir, &name, &sum); err != nil {
			return nil, err
		}
		at := NameAt(dir, name)
		if set[at] = inode.DigestOf(sum); at.name != name {
			old[at] = name
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, err
	}
	for at, name := range old {
		if _, err := db.Exec("UPDATE OR REPLACE media_unknown SET name = ? WHERE parent = ? AND name = ?", at.name, at.dir, name); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// NoteUnknown notes a name at once, before the table writes anything; what was sent is not known.
func NoteUnknown(db *sql.DB, at ServiceName) error {
	_, err := db.Exec(noteUnknown, at.dir, at.name, "")
	return err
}
