package document

import (
	"database/sql"
	"errors"
	"time"
)

// Source is a PDF that was sent from this machine to become a paper's pages.
type Source struct {
	SHA256  string
	Size    int64
	Written time.Time
	guid    string // GUID of its job, "" if the service did not return one
}

func putSource(tx *sql.Tx, paper int64, s Source) error {
	_, err := tx.Exec(`INSERT INTO source (paper, sha256, size, written, guid) VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT (paper) DO UPDATE SET sha256 = ?2, size = ?3, written = ?4, guid = ?5`, paper, s.SHA256, s.Size, s.Written.UnixNano(), s.guid)
	return err
}

// SetWritten changes the modification time of a paper's PDF, if one was sent from this
// machine. It makes no requests.
func (l *Cache) SetWritten(paper int64, at time.Time) error {
	_, err := l.db.Exec(`UPDATE source SET written = ? WHERE paper = ?`, at.UnixNano(), paper)
	return err
}

// Source returns the PDF that was last sent from this machine for a paper; ok is false if
// there is none. It makes no requests.
func (l *Cache) Source(paper int64) (s Source, ok bool, err error) {
	var written int64
	err = l.db.QueryRow(`SELECT sha256, size, written, guid FROM source WHERE paper = ?`, paper).Scan(&s.SHA256, &s.Size, &written, &s.guid)
	if errors.Is(err, sql.ErrNoRows) {
		return s, false, nil
	}
	s.Written = time.Unix(0, written).UTC()
	return s, err == nil, err
}
