package document

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"paperfs/remote"
)

// JobsTold takes in jobs that the service has told of, one after the other, as they happened, in the answer to a request of that
// time. ended is called with those whose end was not known. Nobody knows whether pages of others are newer than those of a PDF
// from here after that time: it fails, so the service tells it again, with the later one.
func (c *Cache) JobsTold(ctx context.Context, jobs []remote.Event, asked time.Time, ended func(paper int64, job Job)) (failed error) {
	for i, e := range jobs {
		if slices.ContainsFunc(jobs[i+1:], func(later remote.Event) bool { return later.ID == e.ID && hasPages(later.Status) }) {
			e.Status = "" // the pages that it may have made are replaced
		}
		if _, ours := c.paperOf(e.Job); !ours && hasPages(e.Status) && c.sent.last(e.ID).After(asked) {
			failed = errors.Join(failed, errors.New("a PDF was sent from here since the service was asked for those of others"))
			continue
		}
		job, known, err := c.JobTold(ctx, e.ID, e.Job, e.Status)
		if known && err == nil && job.Status != remote.JobPending {
			ended(e.ID, job)
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// hasPages reports whether a PDF has become its paper's pages.
func hasPages(s remote.JobStatus) bool {
	return s == remote.JobCompleted || s == remote.JobEnrichmentFailed
}

// JobTold takes in that the service has told of a job. It drops the answers for its paper, unless they are of after the end of
// a job from here, and, if the job is known as pending, asks for it at once: it costs the same as Job. A job of others that has
// made pages has replaced the PDFs that were sent from here, but one that is being processed.
func (c *Cache) JobTold(ctx context.Context, paper int64, name string, status remote.JobStatus) (job Job, known bool, err error) {
	guid, ok := JobName(name)
	_, ours := c.paperOf(guid)
	job, err = c.knownJob(guid)
	if known = job.Status == remote.JobPending; known || !ours {
		c.Drop(paper)
	}
	if !ok {
		return Job{}, false, nil
	}
	if !ours && hasPages(status) {
		c.replaced(ctx, paper)
	}
	if status != "" {
		c.seeOthers(paper, guid)
	}
	for try := 0; known && err == nil && job.Status == remote.JobPending && try < 2; try++ { // the first may join a request that is too old
		c.jobs.hurry(guid)
		job, err = c.Job(ctx, guid)
	}
	if errors.Is(err, ErrUnknownJob) {
		err = nil // it is gone with its paper
	}
	return job, known, err
}

// Unknown is the reason for which a PDF is set aside that the service does not know. It is of no paper that is there.
const Unknown = "the service does not know the PDF any more, as after the restore of a backup"

// RecordsLost takes in that the service may have other records than before, as of a backup: no answer from before counts, and no
// preview link, which may be that of another paper with the same id. A PDF from here whose job it does not know is not its
// paper's; it is set aside, as nobody else may have it: 1 request for each.
func (c *Cache) RecordsLost(ctx context.Context) error {
	c.DropAll()
	_, unlinked := c.db.ExecContext(ctx, `DELETE FROM preview`)
	sent, failed := c.SourcesOf()
	maps.DeleteFunc(sent, func(_ int64, pdfs []Source) bool { return pdfs[0].guid == "" })
	for paper, pdfs := range sent {
		_, _, err := c.service.GetProcessingStatus(ctx, pdfs[0].guid)
		if e, ok := errors.AsType[*remote.Error](err); ok && e.Kind == remote.Refused && e.Code == remote.Failure {
			err = c.lose(paper, pdfs[0])
		}
		failed = errors.Join(failed, err)
	}
	return errors.Join(failed, unlinked)
}

// lose sets aside the PDF last sent for a paper, which is not its PDF.
func (c *Cache) lose(paper int64, pdf Source) error {
	good, unread := c.own(paper)
	_, err := c.db.Exec(`UPDATE job SET paper = NULL, status = ?, reason = ? WHERE guid = ?`, remote.JobFailed, Unknown, pdf.guid)
	if err = cmp.Or(unread, err, c.setAside(paper, good)); err != nil {
		return err // else it would be nowhere
	}
	return cmp.Or(c.restoreSource(paper, pdf, good), c.pinSources(paper))
}

// Made takes in that this mount has made a node. What is known of a paper with its id is of one from before the restore of a
// backup, whose PDF is set aside. Nearly always that is nothing, which one read tells; other says that the tree had another node
// with the id.
func (c *Cache) Made(id int64, other bool) {
	pdf, sent, err := c.Source(id)
	if err == nil && !sent && !other {
		return
	}
	if sent {
		err = c.lose(id, pdf)
	}
	if err == nil {
		_, err = c.db.Exec(`DELETE FROM preview WHERE paper = ?`, id)
		err = cmp.Or(err, c.Deleted(id))
	}
	if err != nil {
		c.log.Warn("cannot forget the paper that had an id before", "id", id, "error", err)
	}
}
