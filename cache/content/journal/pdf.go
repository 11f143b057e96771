package journal

import (
	"database/sql"
	"errors"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
	"paperfs/cache/state"
)

// PDF is the row of a file below papers/. A row without content in the spool means nothing, unless the
// content was queued: then it was lost.
type PDF struct {
	Ino inode.Ino
	tree.PDF
	Written inode.Instant
	Spool   Spool // Serial 0: nothing is queued
}

// PDFOf returns the row of a file below papers/; Tree.Mu must be held.
func PDFOf(n *tree.Node) *PDF {
	row := &PDF{Ino: n.Ino, PDF: *n.PDF, Written: n.Mtime, Spool: Spool{Draft: n.Draft}}
	row.Path = n.LastPath()
	for d := n.Parent; d != nil && !n.IsPDF(); d = d.Parent { // what becomes of scratch follows its category or paper
		row.Paper = max(row.Paper, -d.ID)
	}
	if d := n.Delivery; d != nil {
		row.Spool.Serial, row.Spool.Size, row.Spool.Kept = d.Spool, d.Size, d.Kept
	}
	return row
}

// pdfStatement writes the row of a PDF, or removes it if there is none.
func pdfStatement(ino inode.Ino, d *PDF) state.Statement {
	if d == nil {
		return state.Statement{Text: "DELETE FROM media_draft WHERE ino = ?", Args: []any{ino}}
	}
	return state.Statement{
		Text: "INSERT OR REPLACE INTO media_draft (ino, paper, path, spool, dir, written, again, isnew, making, size, seen, measured, draft) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
		Args: []any{ino, d.Paper, d.Path, d.Spool.Serial, d.Dir, int64(d.Written), d.Again, d.New, d.Making, d.Spool.Size, d.Seen, d.Spool.Kept, d.Spool.Draft},
	}
}

// Spools returns the serials of the spools that rows name.
func Spools(db *sql.DB) (map[uint64]bool, error) {
	serials := make(map[uint64]bool)
	_, _, err := Load(db, func(_ *tree.Node, s Spool) { serials[s.Serial], serials[s.Draft] = true, true })
	pdfs, failed := LoadPDFs(db)
	for _, d := range pdfs {
		serials[d.Spool.Serial], serials[d.Spool.Draft] = true, true
	}
	return serials, errors.Join(err, failed)
}

// LoadPDFs reads the rows of PDFs.
func LoadPDFs(db *sql.DB) (list []PDF, err error) {
	rows, err := db.Query("SELECT ino, paper, path, spool, dir, written, again, isnew, making, size, seen, measured, draft FROM media_draft")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var d PDF
		if err := rows.Scan(&d.Ino, &d.Paper, &d.Path, &d.Spool.Serial, &d.Dir, &d.Written, &d.Again, &d.New, &d.Making, &d.Spool.Size, &d.Seen, &d.Spool.Kept, &d.Spool.Draft); err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, rows.Err()
}
