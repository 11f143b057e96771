package document

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"paperfs/remote"
)

// Source is a PDF that was sent from here to be processed into a paper.
type Source struct {
	SHA256  string
	Size    int64
	Written time.Time
	guid    string // of its job, "" where the service does not tell it
}

// Process sends a PDF, which was written at a time, zero for now, to be processed
// into a paper's pages, and records the job: 1 request. It is over when the
// service has queued it. It waits for those that are being sent for the paper.
func (l *Cache) Process(ctx context.Context, paper int64, pdf remote.Content, written time.Time) (Source, error) {
	came := time.Now()
	end, err := l.sends.take(ctx, paper)
	if err != nil {
		return Source{}, err
	}
	defer end()
	if err := l.fewBefore(ctx, paper); err != nil {
		return Source{}, err
	}
	job, err := l.processInTurn(ctx, paper, pdf, came)
	if err != nil {
		return Source{}, err
	}
	if written.IsZero() {
		written = l.now()
	}
	source := Source{SHA256: job.SHA256, Size: pdf.Size(), Written: written.UTC(), guid: job.GUID}
	// The job is there now, so it is recorded even if the caller has left.
	if err := l.recordSource(context.WithoutCancel(ctx), paper, source); err != nil {
		return source, fmt.Errorf("the PDF is being processed, but that could not be recorded here: %w", err)
	}
	return source, nil
}

func (l *Cache) recordSource(ctx context.Context, paper int64, s Source) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := goBefore(tx, paper, s.SHA256); err != nil {
		return err
	}
	if err := putSource(tx, paper, s); err != nil {
		return err
	}
	if s.guid != "" {
		_, err = tx.ExecContext(ctx, `INSERT INTO job (guid, status, paper, began) VALUES (?1, ?2, ?3, ?4)
			ON CONFLICT (guid) DO UPDATE SET paper = ?3, began = ?4`, // somebody may have looked it up before
			s.guid, remote.JobPending, paper, l.now().UnixNano())
		if err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return l.tellKept(paper)
}

func putSource(tx *sql.Tx, paper int64, s Source) error {
	_, err := tx.Exec(`INSERT INTO source (paper, sha256, size, written, guid) VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT (paper) DO UPDATE SET sha256 = ?2, size = ?3, written = ?4, guid = ?5`, paper, s.SHA256, s.Size, s.Written.UnixNano(), s.guid)
	return err
}

// Deleted forgets a paper that is no more. Its jobs stay in the list of jobs.
func (l *Cache) Deleted(paper int64) error {
	l.Drop(paper)
	var errs []error
	for _, change := range []string{`DELETE FROM source WHERE paper = ?`, `DELETE FROM source_before WHERE paper = ?`, `UPDATE job SET paper = NULL WHERE paper = ?`} {
		_, err := l.db.Exec(change, paper)
		errs = append(errs, err)
	}
	return errors.Join(append(errs, l.tellKept(paper))...)
}

// SetWritten changes when the PDF of a paper was written, where one was sent from
// here. Nothing is asked.
func (l *Cache) SetWritten(paper int64, at time.Time) error {
	_, err := l.db.Exec(`UPDATE source SET written = ? WHERE paper = ?`, at.UnixNano(), paper)
	return err
}

// pending are the jobs of a paper that were begun here and whose end was not
// seen.
func (l *Cache) pending(paper int64) ([]string, error) {
	return l.guids(`SELECT guid FROM job WHERE paper = ? AND status = ?`, paper, remote.JobPending)
}

// Source is the PDF that was last sent from here for a paper; ok is false
// where none was. Nothing is asked.
func (l *Cache) Source(paper int64) (s Source, ok bool, err error) {
	var written int64
	err = l.db.QueryRow(`SELECT sha256, size, written, guid FROM source WHERE paper = ?`, paper).Scan(&s.SHA256, &s.Size, &written, &s.guid)
	if errors.Is(err, sql.ErrNoRows) {
		return s, false, nil
	}
	s.Written = time.Unix(0, written).UTC()
	return s, err == nil, err
}

// PaperJob is a paper's last processing job, of those begun here; ok is false
// where none is known. It costs what Job costs.
func (l *Cache) PaperJob(ctx context.Context, paper int64) (job Job, ok bool, err error) {
	var guid string
	err = l.db.QueryRow(`SELECT guid FROM job WHERE paper = ? ORDER BY rowid DESC LIMIT 1`, paper).Scan(&guid)
	if errors.Is(err, sql.ErrNoRows) {
		return Job{}, false, nil
	}
	if err != nil {
		return Job{}, false, err
	}
	if job, err = l.Job(ctx, guid); err != nil {
		return Job{}, false, err
	}
	if job.Status == remote.JobFailed { // its end may have been seen without an answer of those before
		err = l.judged(ctx, paper, guid, job.Status, job.Reason)
	}
	return job, true, err
}

// progressTTL is how long the list of papers that are being processed is good.
const progressTTL = 5 * time.Second

// Progress is how far the processing of a paper is, in percent; ok is false
// where it is not being processed. 1 request, 0 for a moment after.
func (l *Cache) Progress(ctx context.Context, paper int64) (percent int, ok bool, err error) {
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

// IsFilled reports whether a paper has pages, or a PDF that is to become them: 1 or 2
// requests, whatever is held here.
func (l *Cache) IsFilled(ctx context.Context, paper int64) (bool, error) {
	ctx = remote.Patient(ctx)
	processing, err := l.service.GetProcessingPapers(ctx) // first: what ends after it has pages
	if err != nil || slices.ContainsFunc(processing, func(p remote.Processing) bool { return p.Paper == paper }) {
		return err == nil, err
	}
	l.Drop(paper)
	pages, err := l.Pages(ctx, paper)
	return len(pages) > 0, err
}
