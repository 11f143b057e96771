package document

import (
	"cmp"
	"context"
	"errors"

	"paperfs/remote"
)

// The PDF last sent for a paper is its source.pdf until the service reports that it could
// not process it. Then source.pdf becomes the newest older PDF that the service did
// process, or none where others have made the pages, and the damaged one goes to Damaged.
// So older PDFs are kept until a newer one, of this machine or of others, is known to be good.

// maxOlder is how many older PDFs of a paper are kept while the outcome of their jobs is
// unknown. Sending another one then first polls those jobs.
const maxOlder = 3

// limitOlder limits the older PDFs of a paper whose jobs nobody polls: 0 requests, or 1
// for each job that it polls.
func (c *Cache) limitOlder(ctx context.Context, paper int64) error {
	older, err := c.olderSources(paper)
	if err != nil || len(older) < maxOlder {
		return err
	}
	good, ok, err := c.newestGood(ctx, older)
	if err != nil || !ok {
		return nil // keep them all until the service answers
	}
	_, err = c.db.Exec(`DELETE FROM source_before WHERE paper = ?1 AND id < (SELECT max(id) FROM source_before WHERE paper = ?1 AND guid = ?2 AND sha256 = ?3)`, paper, good.guid, good.SHA256)
	return cmp.Or(err, c.pinSources(paper))
}

// errOlderPending means that it is not known yet which older PDF is good.
var errOlderPending = errors.New("an older PDF of the paper is being processed")

// newestGood returns the first of all, which are sorted newest first, that the service
// could process. If none is known to be good, it returns the newest whose job the service
// does not know.
func (c *Cache) newestGood(ctx context.Context, all []Source) (good Source, ok bool, err error) {
	for _, s := range all {
		job, err := c.Job(ctx, s.guid) // without a name there is no job
		switch {
		case errors.Is(err, ErrUnknownJob) && ok: // the one before is newer
		case errors.Is(err, ErrUnknownJob):
			good, ok = s, true
		case err != nil:
			return Source{}, false, err
		case job.Status == remote.JobPending:
			return Source{}, false, errOlderPending
		case job.Status != remote.JobFailed:
			return s, true, nil
		}
	}
	return good, ok, nil
}

// jobEnded updates which PDFs of a paper are kept once the end of a job is known.
func (c *Cache) jobEnded(ctx context.Context, paper int64, guid string, status remote.JobStatus) error {
	last, ok, err := c.Source(paper)
	if err != nil || guid == "" {
		return err
	}
	switch {
	case !ok && status != remote.JobFailed:
		return c.takeOwn(ctx, paper)
	case !ok:
		return nil
	case status != remote.JobFailed && last.guid == guid:
		_, err = c.db.Exec(`DELETE FROM source_before WHERE paper = ?`, paper)
	case status != remote.JobFailed:
		_, err = c.db.Exec(`DELETE FROM source_before WHERE paper = ?1 AND id < (SELECT max(id) FROM source_before WHERE paper = ?1 AND guid = ?2)`, paper, guid)
	case last.guid == guid:
		err = c.revertSource(ctx, paper, last)
	default:
		_, err = c.db.Exec(`DELETE FROM source_before WHERE paper = ? AND guid = ?`, paper, guid)
	}
	return cmp.Or(err, c.pinSources(paper))
}

// revertSource makes the newest good PDF of a paper its source.pdf again. If none is known to be good, the paper has no pages,
// and the damaged one stays, or others have made them.
func (c *Cache) revertSource(ctx context.Context, paper int64, damaged Source) error {
	older, err := c.olderSources(paper)
	if err != nil {
		return err
	}
	good, ok, err := c.newestGood(ctx, older)
	if err != nil {
		return err // the next PaperJob tries again
	}
	if !ok {
		if pages, _ := c.KnownPages(paper); len(pages) == 0 {
			return nil
		}
		if good, err = c.own(paper); err != nil {
			return err
		}
	}
	if err := c.setAside(paper, good); err != nil {
		return err // both PDFs stay where they are
	}
	return c.restoreSource(paper, damaged, good)
}
