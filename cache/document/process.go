package document

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"paperfs/remote"
)

// Process sends a PDF to become a paper's pages, and records the job: 1 request. written
// is the file's modification time; zero means now. Process waits until earlier PDFs of the
// paper are sent, and returns when the service has queued this one.
func (c *Cache) Process(ctx context.Context, paper int64, pdf remote.Content, written time.Time) (Source, error) {
	end, err := c.sends.acquire(ctx, key{docProcessing, paper, ""})
	if err != nil {
		return Source{}, err
	}
	defer end()
	if err := c.limitOlder(ctx, paper); err != nil {
		return Source{}, err
	}
	job, err := c.sendPDF(c.underEdition(ctx, paper), paper, pdf)
	if e, failed := errors.AsType[*remote.Error](err); err == nil || failed && e.Ambiguous {
		c.sent.replaced(paper, c.now())
	}
	if err != nil {
		return Source{}, err
	}
	if written.IsZero() {
		written = c.now()
	}
	source := Source{SHA256: job.SHA256, Size: pdf.Size(), Written: written.UTC(), guid: job.GUID}
	// The job exists now, so record it even if the caller has left.
	if err := c.recordSource(context.WithoutCancel(ctx), paper, source); err != nil {
		return source, fmt.Errorf("the PDF is being processed, but this machine could not record that: %w", err)
	}
	return source, nil
}

// takeOwn records the PDF of a paper that the service has in this process: others have sent it, or undo has brought it
// back. The content stays the service's.
func (c *Cache) takeOwn(ctx context.Context, paper int64) error {
	s, err := c.own(paper)
	if err != nil || s.SHA256 == "" {
		return err
	}
	return c.recordSource(ctx, paper, s)
}

// own returns the PDF that a paper has its pages from, if the service is in this process.
func (c *Cache) own(paper int64) (s Source, err error) {
	if c.ownPDF == nil {
		return s, nil
	}
	f, sum, err := c.ownPDF(paper)
	if err != nil {
		return s, nil // it has pages without a PDF, or another PDF by now
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return s, err
	}
	return Source{SHA256: sum, Size: info.Size(), Written: c.now()}, nil
}

func (c *Cache) recordSource(ctx context.Context, paper int64, s Source) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err = keepPrevious(tx, paper); err == nil {
		err = putSource(tx, paper, s)
	}
	if err == nil && s.guid != "" {
		err = c.addJob(ctx, tx, paper, s.guid)
	}
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		return err
	}
	c.began.Ring()
	return c.pinSources(paper)
}

// addJob records a job of a paper that was started on this machine.
func (c *Cache) addJob(ctx context.Context, tx interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, paper int64, guid string) error {
	c.others.byPaper.Delete(paper)
	_, err := tx.ExecContext(ctx, `INSERT INTO job (guid, status, paper, began) VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT (guid) DO UPDATE SET paper = ?3, began = ?4`, // its status may have been requested already
		guid, remote.JobPending, paper, c.now().UnixNano())
	return err
}
