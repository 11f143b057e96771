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
	guid    string // GUID of its job, "" if the service did not return one
}

// scan reads the columns guid, sha256, size and written.
func (s *Source) scan(scan func(...any) error) error {
	var written int64
	err := scan(&s.guid, &s.SHA256, &s.Size, &written)
	s.Written = time.Unix(0, written).UTC()
	return err
}

func putSource(tx *sql.Tx, paper int64, s Source) error {
	_, err := tx.Exec(`INSERT INTO source (paper, sha256, size, written, guid) VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT (paper) DO UPDATE SET sha256 = ?2, size = ?3, written = ?4, guid = ?5`, paper, s.SHA256, s.Size, s.Written.UnixNano(), s.guid)
	return err
}
