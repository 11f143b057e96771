package document

import (
	"cmp"
	"context"
	"errors"

	"paperfs/remote"
)

// Deleted forgets a deleted paper. Its jobs stay in the list of jobs.
func (c *Cache) Deleted(paper int64) error {
	c.Drop(paper)
	return c.forgetSent(paper)
}

// forgetSent forgets what was sent from here for a paper.
func (c *Cache) forgetSent(paper int64) error {
	var errs []error
	for _, change := range []string{`DELETE FROM source WHERE paper = ?`, `DELETE FROM source_before WHERE paper = ?`, `UPDATE job SET paper = NULL WHERE paper = ?`} {
		_, err := c.db.Exec(change, paper)
		errs = append(errs, err)
	}
	return errors.Join(append(errs, c.pinSources(paper))...)
}

// Restored notes that a paper is back, or that this mount has the service process an earlier PDF of it again, by a job that
// is "" if the service does not tell it. What was sent from here is not the paper's PDF any more.
func (c *Cache) Restored(ctx context.Context, paper int64, job string) error {
	c.sent.replaced(paper, c.now())
	err := c.Deleted(paper)
	guid, is := JobName(job)
	switch {
	case err != nil:
		return err
	case !is:
		return c.takeOwn(ctx, paper)
	}
	defer c.began.Ring()
	return c.addJob(ctx, c.db, paper, guid)
}

// replaced takes in that others have made the pages of a paper. The service makes those of one PDF of a paper at a time, so
// one from here that is being processed came later: only that one may become the pages.
func (c *Cache) replaced(ctx context.Context, paper int64) {
	pending, err := c.pending(paper)
	switch {
	case err == nil && len(pending) > 0:
		_, err = c.db.Exec(`DELETE FROM source_before WHERE paper = ?1 AND guid NOT IN (SELECT guid FROM job WHERE paper = ?1 AND status = ?2)`, paper, remote.JobPending)
		err = cmp.Or(err, c.pinSources(paper))
	case err == nil:
		if err = c.setAside(paper, Source{}); err == nil {
			err = cmp.Or(c.forgetSent(paper), c.takeOwn(ctx, paper))
		}
	}
	if err != nil {
		c.log.Warn("cannot record that others have replaced a PDF", "paper", paper, "error", err)
	}
}
