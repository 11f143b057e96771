package document

import (
	"context"
	"errors"
	"time"

	"paperfs/remote"
)

// sendPDF sends a PDF. If the service is still processing an older one from this machine,
// and the caller is not in the background, sendPDF waits a limited time from came for that
// job and sends the PDF again: the polls of the job and 1 more request.
func (l *Cache) sendPDF(ctx context.Context, paper int64, pdf remote.Content, came time.Time) (remote.Job, error) {
	older, err := l.pending(paper)
	if err != nil {
		return remote.Job{}, err
	}
	turn, end, err := l.reserveSend(ctx, paper)
	if err != nil {
		return remote.Job{}, err
	}
	defer end()
	job, err := l.service.ProcessPDF(turn, paper, l.options, pdf, older...)
	e, _ := errors.AsType[*remote.Error](err)
	if e == nil || e.Code != remote.AlreadyBeingProcessed || remote.IsBackground(ctx) || !l.waitForOlder(ctx, paper, older, came) {
		return job, err
	}
	return l.service.ProcessPDF(ctx, paper, l.options, pdf)
}

// waitForOlder is jobsEnd with the time limit of a PDF that arrived at came.
func (l *Cache) waitForOlder(ctx context.Context, paper int64, guids []string, came time.Time) bool {
	ctx, cancel := context.WithTimeout(ctx, l.sends.waitLeft(paper, came))
	defer cancel()
	from := time.Now()
	defer func() { l.sends.noteWait(paper, from, time.Now()) }()
	return l.jobsEnd(ctx, guids)
}

// jobsEnd waits until all jobs have ended and reports whether they have. It returns false
// if there are none.
func (l *Cache) jobsEnd(ctx context.Context, guids []string) bool {
	again := time.NewTicker(minPoll / 3)
	defer again.Stop()
	for _, guid := range guids {
		for {
			job, err := l.Job(ctx, guid)
			if err != nil {
				return false
			}
			if job.Status != remote.JobPending {
				break
			}
			select {
			case <-ctx.Done():
				return false
			case <-again.C:
			}
		}
	}
	return len(guids) > 0
}
