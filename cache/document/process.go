package document

import (
	"context"
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
	if c.pathOf != nil {
		source.Path = c.pathOf(paper)
	}
	// The job exists now, so record it even if the caller has left.
	if err := c.recordSource(context.WithoutCancel(ctx), paper, source); err != nil {
		return source, fmt.Errorf("the PDF is being processed, but this machine could not record that: %w", err)
	}
	return source, nil
}
