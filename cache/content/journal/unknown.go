package journal

import (
	"database/sql"
	"strings"

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

// Sent has the digests of what uploads to a name have sent that may still take effect there, as far as they are known,
// in hex, with blanks between them. Of many, it has the last 16.
type Sent string

// Or returns s with one more digest, which may be unknown.
func (s Sent) Or(sum inode.Digest) Sent {
	if s.Has(sum) {
		return s
	}
	return s[max(0, len(s)-15*len(" "+sum.String())):] + Sent(" "+sum.String())
}

// Has reports whether content with a digest, which may be unknown, may have come from this mount.
func (s Sent) Has(sum inode.Digest) bool {
	return strings.Contains(string(s), sum.String()) // that of an unknown digest is empty
}

// SQL to add and to remove a name.
const (
	noteUnknown = "INSERT OR REPLACE INTO media_unknown (parent, name, sha256) VALUES (?,?,?)"
	dropUnknown = "DELETE FROM media_unknown WHERE parent = ? AND name = ?"
)

// LoadUnknown returns the noted names: those at the service whose last upload has an unknown
// outcome, with what was sent. It may still take effect, even after the next upload.
func LoadUnknown(db *sql.DB) (map[ServiceName]Sent, error) {
	rows, err := db.Query("SELECT parent, name, sha256 FROM media_unknown")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	set := make(map[ServiceName]Sent)
	for rows.Next() {
		var dir int64
		var name, sent string
		if err := rows.Scan(&dir, &name, &sent); err != nil {
			return nil, err
		}
		set[NameAt(dir, name)] = Sent(sent)
	}
	return set, rows.Err()
}

// NoteUnknown notes a name at once, before the table writes anything.
func NoteUnknown(db *sql.DB, at ServiceName, sent Sent) error {
	_, err := db.Exec(noteUnknown, at.dir, at.name, string(sent))
	return err
}
