package document

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"paperfs/remote"
)

// PaperJob returns the last processing job of a paper that this mount knows: its own, or a later one of others that it
// has seen. If it knows none, ok is false. PaperJob costs as much as Job.
func (c *Cache) PaperJob(ctx context.Context, paper int64) (job Job, ok bool, err error) {
	var guid string
	err = c.db.QueryRow(`SELECT guid FROM job WHERE paper = ? ORDER BY rowid DESC LIMIT 1`, paper).Scan(&guid)
	if errors.Is(err, sql.ErrNoRows) {
		return c.othersJob(ctx, paper, job, false)
	}
	if err != nil {
		return Job{}, false, err
	}
	if job, err = c.Job(ctx, guid); err != nil {
		return Job{}, false, err
	}
	if job.Status == remote.JobFailed { // when the job ended, the older jobs may not have been known yet
		err = c.jobEnded(ctx, paper, guid, job.Status)
	}
	if job.Status == remote.JobPending || err != nil {
		return job, true, err
	}
	return c.othersJob(ctx, paper, job, true)
}

// progressTTL is how long the list of papers that are being processed is cached.
const progressTTL = 5 * time.Second

// Progress returns how far the processing of a paper is, in percent; ok is false if it is
// not being processed. 1 request, 0 while the list is cached. PaperJob then knows jobs of others.
func (c *Cache) Progress(ctx context.Context, paper int64) (percent int, ok bool, err error) {
	all, err := fetch(ctx, c.documents, key{docProcessing, 0, ""}, progressTTL, func(ctx context.Context) ([]remote.Processing, int64, error) {
		all, err := c.service.GetProcessingPapers(ctx)
		for _, p := range all {
			c.seeOthers(p.Paper, p.GUID)
		}
		return all, overhead, err
	})
	for _, p := range all {
		if p.Paper == paper {
			return p.Progress, true, err
		}
	}
	return 0, false, err
}

// IsBusy reports whether a PDF of a paper is being processed: 1 request, ignoring the cache.
func (c *Cache) IsBusy(ctx context.Context, paper int64) (bool, error) {
	processing, err := c.service.GetProcessingPapers(ctx)
	return slices.ContainsFunc(processing, func(p remote.Processing) bool { return p.Paper == paper }), err
}

// IsFilled reports whether a paper has pages, or a PDF that is being processed: 1 or 2
// requests, ignoring the cache.
func (c *Cache) IsFilled(ctx context.Context, paper int64) (bool, error) {
	ctx = remote.Patient(ctx)
	busy, err := c.IsBusy(ctx, paper) // first: a job that ends after this request has pages
	if err != nil || busy {
		return busy, err
	}
	c.Drop(paper)
	pages, err := c.Pages(ctx, paper)
	return len(pages) > 0, err
}

// othersJob returns the job of others that came after the last one from here, which is its default.
func (c *Cache) othersJob(ctx context.Context, paper int64, last Job, known bool) (job Job, ok bool, err error) {
	guid, ok := c.others.byPaper.Load(paper)
	if !ok {
		return last, known, nil
	}
	job, err = c.Job(ctx, guid.(string))
	return job, err == nil, err
}
