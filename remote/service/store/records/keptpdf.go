package records

import (
	"time"

	"paperfs/remote/service/store"
)

// KeepPDF implements store.KeptWriter. What a PDF replaced that was restored is undone as the entry of that is:
// the next that brings back all goes further back.
func (q Queries) KeepPDF(w store.Work, at time.Time) error {
	return q.tx.Exec(`INSERT INTO kept (tenant, kind, thing, parent, name, folded_name, version, at, account, holds, size, content, data, undone)
		SELECT n.tenant, 4, n.id, n.parent, n.name, n.url_name, coalesce((SELECT number FROM edition WHERE node = n.id), 0), CAST($3 AS bigint),
			coalesce((SELECT account FROM job_work WHERE job = $2), ''), 1, r.pdf_size, r.pdf, CAST('' AS `+q.dialect.Bytes+`),
			coalesce((SELECT undone FROM kept WHERE content = $4 AND content <> '' AND kind = 4), 0)
		FROM rendition r JOIN node n ON n.id = r.node WHERE n.id = $1`, w.Paper, w.GUID, at.Unix(), w.PDF)
}

// UseKeptPDF implements store.KeptWriter.
func (q Queries) UseKeptPDF(key string) error {
	return q.tx.Exec(`DELETE FROM kept WHERE content = $1 AND content <> '' AND kind = 4`, key)
}

// KeptPDF implements store.KeptReader.
func (q Queries) KeptPDF(key string) (kept, inWork bool, err error) {
	err = q.tx.Row(`SELECT EXISTS (SELECT 1 FROM kept WHERE content = $1 AND content <> ''), EXISTS (SELECT 1 FROM job_work WHERE pdf = $1)`, []any{key}, &kept, &inWork)
	return kept, inWork, err
}
