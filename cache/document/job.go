package document

import (
	"context"
	"errors"
	"fmt"

	"paperfs/remote"
)

// Job returns a job's state: 0 requests if its final state is known or a pending job was
// polled a moment ago, else 1, and 1 more for the structure of the paper if the job is known
// to be of it and has just ended.
func (c *Cache) Job(ctx context.Context, name string) (Job, error) {
	guid, ok := JobName(name)
	if !ok {
		return Job{}, fmt.Errorf("%q is not a GUID: %w", name, ErrUnknownJob)
	}
	job, err := c.knownJob(guid)
	if err != nil {
		return Job{}, err
	}
	if job.Status != "" && (job.Status != remote.JobPending || !c.jobs.due(guid, c.now())) {
		return job, nil
	}
	// TTL 0: the code above decides how long a status stays valid.
	return fetch(ctx, c.documents, key{docJob, 0, guid}, 0, func(ctx context.Context) (Job, int64, error) {
		job, err := c.fetchJob(ctx, guid)
		return job, overhead, err
	})
}

func (c *Cache) fetchJob(ctx context.Context, guid string) (Job, error) {
	status, reason, err := c.service.GetProcessingStatus(ctx, guid)
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Kind == remote.Refused && e.Code == remote.Failure {
		return Job{}, fmt.Errorf("%s: %w: %w", guid, ErrUnknownJob, err)
	}
	if err != nil {
		return Job{}, err
	}
	var paper, others int64
	var ours bool
	if status != remote.JobPending {
		if paper, ours = c.paperOf(guid); ours {
			c.sent.replaced(paper, c.now())
			c.Drop(paper) // before anyone learns that the job ended: the cached answers are older than that
		} else if others, _ = c.others.paperOf(guid); others != 0 {
			c.Drop(others)
		}
	}
	// A final status stays final, even if an older answer arrives late.
	_, err = c.db.ExecContext(ctx, `INSERT INTO job (guid, status, reason) VALUES (?1, ?2, ?3)
		ON CONFLICT (guid) DO UPDATE SET status = ?2, reason = ?3 WHERE status = ?4`, guid, status, reason, remote.JobPending)
	if err != nil {
		return Job{}, fmt.Errorf("record the status of job %s: %w", guid, err)
	}
	c.jobs.answered(guid, status, c.now())
	switch {
	case ours:
		c.afterJob(ctx, paper, guid, status)
	case others != 0:
		c.readPages(ctx, others)
	}
	return Job{guid, status, reason}, nil
}

// readPages fetches the structure of a paper whose job has ended: the caller that learned of the end reads the new
// pages next, and the tree may not have them yet. If the fetch fails, that caller repeats it.
func (c *Cache) readPages(ctx context.Context, paper int64) {
	if _, err := c.structure(ctx, paper, false); err != nil {
		c.log.Info("the structure of a processed paper is not available yet", "paper", paper, "error", err)
	}
}

// afterJob is called once the end of a paper's job is recorded. It reads the pages, also because a damaged PDF is not
// kept beside pages of others.
func (c *Cache) afterJob(ctx context.Context, paper int64, guid string, status remote.JobStatus) {
	c.readPages(ctx, paper)
	switch err := c.jobEnded(ctx, paper, guid, status); {
	case errors.Is(err, errOlderPending):
		c.log.Info("which PDF of a paper is good is not known until the older one is processed", "paper", paper)
	case err != nil:
		c.log.Warn("cannot record which PDF of a paper is good", "paper", paper, "error", err)
	}
}
