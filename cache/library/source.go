package library

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"paperfs/remote"
)

// Source is a PDF that was sent from here to be processed into a paper.
type Source struct {
	SHA256  string
	Size    int64
	Written time.Time
}

// Process sends a PDF, which was written at a time, zero for now, to be processed
// into a paper's pages, and records the job: 1 request. It is over when the
// service has queued it. It waits for those that are being sent for the paper.
func (l *Library) Process(ctx context.Context, paper int64, pdf remote.Content, written time.Time) (Source, error) {
	defer l.sends.take(paper)()
	older, err := l.pending(paper)
	if err != nil {
		return Source{}, err
	}
	job, err := l.service.ProcessPDF(ctx, paper, l.options, pdf, older...)
	if err != nil {
		return Source{}, err
	}
	if written.IsZero() {
		written = l.now()
	}
	source := Source{SHA256: job.SHA256, Size: pdf.Size(), Written: written.UTC()}
	// The job is there now, so it is recorded even if the caller has left.
	if err := l.recordSource(context.WithoutCancel(ctx), paper, job.GUID, source); err != nil {
		return source, fmt.Errorf("the PDF is being processed, but that could not be recorded here: %w", err)
	}
	return source, nil
}

func (l *Library) recordSource(ctx context.Context, paper int64, guid string, s Source) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	_, err = tx.ExecContext(ctx, `INSERT INTO source (paper, sha256, size, written) VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT (paper) DO UPDATE SET sha256 = ?2, size = ?3, written = ?4`, paper, s.SHA256, s.Size, s.Written.UnixNano())
	if err != nil {
		return err
	}
	if guid != "" {
		_, err = tx.ExecContext(ctx, `INSERT INTO job (guid, status, paper) VALUES (?1, ?2, ?3)
			ON CONFLICT (guid) DO UPDATE SET paper = ?3`, // somebody may have looked it up before
			guid, remote.JobPending, paper)
		if err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	l.sentPDF(paper, s.SHA256)
	return nil
}

// Sources are the SHA-256 of the PDFs that were last sent from here, by paper.
func (l *Library) Sources() (sha256 map[int64]string, err error) {
	rows, err := l.db.Query(`SELECT paper, sha256 FROM source`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	sha256 = make(map[int64]string)
	for rows.Next() {
		var paper int64
		var sum string
		if err := rows.Scan(&paper, &sum); err != nil {
			return nil, err
		}
		sha256[paper] = sum
	}
	return sha256, rows.Err()
}

// Deleted forgets a paper that is no more.
func (l *Library) Deleted(paper int64) error {
	l.Drop(paper)
	_, err := l.db.Exec(`DELETE FROM source WHERE paper = ?`, paper)
	if err == nil {
		l.sentPDF(paper, "")
	}
	return err
}

// SetWritten changes when the PDF of a paper was written, where one was sent from
// here. Nothing is asked.
func (l *Library) SetWritten(paper int64, at time.Time) error {
	_, err := l.db.Exec(`UPDATE source SET written = ? WHERE paper = ?`, at.UnixNano(), paper)
	return err
}

// pending are the jobs of a paper that were begun here and whose end was not
// seen.
func (l *Library) pending(paper int64) (guids []string, err error) {
	rows, err := l.db.Query(`SELECT guid FROM job WHERE paper = ? AND status = ?`, paper, remote.JobPending)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var guid string
		if err := rows.Scan(&guid); err != nil {
			return nil, err
		}
		guids = append(guids, guid)
	}
	return guids, rows.Err()
}

// Source is the PDF that was last sent from here for a paper; ok is false
// where none was. Nothing is asked.
func (l *Library) Source(paper int64) (s Source, ok bool, err error) {
	var written int64
	err = l.db.QueryRow(`SELECT sha256, size, written FROM source WHERE paper = ?`, paper).Scan(&s.SHA256, &s.Size, &written)
	if errors.Is(err, sql.ErrNoRows) {
		return s, false, nil
	}
	s.Written = time.Unix(0, written).UTC()
	return s, err == nil, err
}

// PaperJob is a paper's last processing job, of those begun here; ok is false
// where none is known. It costs what Job costs.
func (l *Library) PaperJob(ctx context.Context, paper int64) (job Job, ok bool, err error) {
	var guid string
	err = l.db.QueryRow(`SELECT guid FROM job WHERE paper = ? ORDER BY rowid DESC LIMIT 1`, paper).Scan(&guid)
	if errors.Is(err, sql.ErrNoRows) {
		return Job{}, false, nil
	}
	if err != nil {
		return Job{}, false, err
	}
	job, err = l.Job(ctx, guid)
	return job, err == nil, err
}

// progressTTL is how long the list of papers that are being processed is good.
const progressTTL = 5 * time.Second

// Progress is how far the processing of a paper is, in percent; ok is false
// where it is not being processed. 1 request, 0 for a moment after.
func (l *Library) Progress(ctx context.Context, paper int64) (percent int, ok bool, err error) {
	all, err := fetch(ctx, l.documents, key{docProcessing, 0, ""}, progressTTL, func(ctx context.Context) ([]remote.Processing, int64, error) {
		all, err := l.service.GetProcessingPapers(ctx)
		return all, overhead, err
	})
	for _, p := range all {
		if p.Paper == paper {
			return p.Progress, true, err
		}
	}
	return 0, false, err
}
