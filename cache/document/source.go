package document

import (
	"database/sql"
	"time"
)

// Source is a PDF that was sent from this machine to become a paper's pages.
type Source struct {
	SHA256  string
	Size    int64
	Written time.Time
	Path    string // of the paper when it was sent, from the mount's root; "" if it was not sent from here
	guid    string // GUID of its job, "" if the service did not return one
}

// columns are what scan reads.
const columns = `guid, sha256, size, written, path`

// scan reads the columns.
func (s *Source) scan(scan func(...any) error) error {
	var written int64
	err := scan(&s.guid, &s.SHA256, &s.Size, &written, &s.Path)
	s.Written = time.Unix(0, written).UTC()
	return err
}

func putSource(tx *sql.Tx, paper int64, s Source) error {
	_, err := tx.Exec(`INSERT INTO source (paper, sha256, size, written, guid, path) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT (paper) DO UPDATE SET sha256 = ?2, size = ?3, written = ?4, guid = ?5, path = ?6`, paper, s.SHA256, s.Size, s.Written.UnixNano(), s.guid, s.Path)
	return err
}
