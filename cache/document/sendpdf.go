package document

import (
	"context"
	"errors"
	"fmt"

	"paperfs/remote"
)

// sendPDF sends a PDF. The service takes it only after it has processed the one before. sendPDF does
// not wait for that, because it may take minutes: a caller in the background tries again, and another
// one is told what to do.
func (c *Cache) sendPDF(ctx context.Context, paper int64, pdf remote.Content) (remote.Job, error) {
	older, err := c.pending(paper)
	if err != nil {
		return remote.Job{}, err
	}
	options, err := c.PDFOptions(paper)
	if err != nil {
		return remote.Job{}, err
	}
	turn, end, err := c.reserveSend(ctx, paper)
	defer end()
	if err != nil {
		return remote.Job{}, err
	}
	job, err := c.service.ProcessPDF(turn, paper, options, pdf, older...)
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Code == remote.AlreadyBeingProcessed && !remote.IsBackground(ctx) {
		return job, fmt.Errorf("%w The service makes the pages of one PDF of a paper at a time: when they are there (paperfs wait), paperfs retry sends this one", err)
	}
	return job, err
}
