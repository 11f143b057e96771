package document

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"paperfs/remote"
)

// The PDF last sent for a paper is its source.pdf until the service reports that it could
// not process it. Then source.pdf becomes the newest older PDF that the service did
// process, or none where others have made the pages, and the damaged one goes to Damaged.
// So older PDFs are kept until a newer one, of this machine or of others, is known to be good.

// maxOlder is how many older PDFs of a paper are kept while the outcome of their jobs is
// unknown. Sending another one then first polls those jobs.
const maxOlder = 3

// SetWritten changes the modification time of a paper's PDF, if one was sent from this
// machine. It makes no requests.
func (c *Cache) SetWritten(paper int64, at time.Time) error {
	_, err := c.db.Exec(`UPDATE source SET written = ? WHERE paper = ?`, at.UnixNano(), paper)
	return err
}

// Source returns the PDF that was last sent from this machine for a paper; ok is false if
// there is none. It makes no requests.
func (c *Cache) Source(paper int64) (s Source, ok bool, err error) {
	err = s.scan(c.db.QueryRow(`SELECT guid, sha256, size, written FROM source WHERE paper = ?`, paper).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return Source{}, false, nil
	}
	return s, err == nil, err
}

// OnDamaged sets the function called with damaged PDFs. Call it before sending any PDF.
func (c *Cache) OnDamaged(told Damaged) { c.damaged = told }

// keepPrevious moves the PDF last sent for a paper to the older ones, unless it is known
// to be damaged. It drops the older ones if the last one is good.
func keepPrevious(tx *sql.Tx, paper int64) error {
	_, err := tx.Exec(`DELETE FROM source_before WHERE paper = ?1 AND EXISTS (
		SELECT 1 FROM source LEFT JOIN job USING (guid) WHERE source.paper = ?1 AND coalesce(job.status, ?2) IN (?2, ?3))`, paper, remote.JobCompleted, remote.JobEnrichmentFailed)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO source_before (paper, guid, sha256, size, written)
		SELECT source.paper, guid, sha256, size, written FROM source LEFT JOIN job USING (guid)
		WHERE source.paper = ?1 AND coalesce(job.status, '') <> ?2`, paper, remote.JobFailed)
	return err
}

// olderSources returns the PDFs sent for a paper before the last one, newest first.
func (c *Cache) olderSources(paper int64) ([]Source, error) {
	return all(c.db, func(scan func(...any) error, s *Source) error { return s.scan(scan) },
		`SELECT guid, sha256, size, written FROM source_before WHERE paper = ? ORDER BY id DESC`, paper)
}

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

// setAside tells of the damaged PDF of a paper that another one is its source.pdf instead.
func (c *Cache) setAside(paper int64, another Source) error {
	last, _, err := c.Source(paper)
	reason := c.Damage(paper)
	if err != nil || reason == "" || last.SHA256 == another.SHA256 || c.damaged == nil {
		return err
	}
	return c.damaged(paper, last, reason)
}

// restoreSource makes a good PDF, or none, the last one instead of a damaged one, unless another was sent since.
func (c *Cache) restoreSource(paper int64, damaged, good Source) error {
	tx, err := c.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	gone, err := tx.Exec(`DELETE FROM source WHERE paper = ? AND guid = ?`, paper, damaged.guid)
	if err != nil {
		return err
	}
	if n, err := gone.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if good.SHA256 != "" {
		err = putSource(tx, paper, good)
	}
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM source_before WHERE paper = ?`, paper); err != nil {
		return err
	}
	return tx.Commit()
}

// pinSources reports to pinPDFs which PDFs of a paper must be kept.
func (c *Cache) pinSources(paper int64) error {
	c.pinning.Lock()
	defer c.pinning.Unlock() // otherwise a concurrent call could report an older state last
	sums, err := c.texts(`SELECT sha256 FROM source WHERE paper = ?1 UNION SELECT sha256 FROM source_before WHERE paper = ?1`, paper)
	if err == nil {
		c.pinPDFs(paper, sums)
	}
	return err
}

// Sources returns, by paper, the SHA-256 of the PDFs that were sent from this machine and
// must be kept.
func (c *Cache) Sources() (sha256 map[int64][]string, err error) {
	sha256 = map[int64][]string{}
	_, err = all(c.db, func(scan func(...any) error, sum *string) error {
		var paper int64
		err := scan(&paper, sum)
		sha256[paper] = append(sha256[paper], *sum)
		return err
	}, `SELECT paper, sha256 FROM source UNION SELECT paper, sha256 FROM source_before`)
	return sha256, err
}

// SourcesOf returns, by paper, the PDFs that were sent from this machine and must be kept:
// the last one first, then the older ones, newest first.
func (c *Cache) SourcesOf() (map[int64][]Source, error) {
	sums, err := c.Sources()
	sent := make(map[int64][]Source, len(sums))
	for paper := range sums {
		if err == nil {
			sent[paper], err = c.sourcesOf(paper)
		}
	}
	return sent, err
}

// sourcesOf is SourcesOf for one paper.
func (c *Cache) sourcesOf(paper int64) (all []Source, err error) {
	last, ok, err := c.Source(paper)
	if ok {
		all = append(all, last)
	}
	older, failed := c.olderSources(paper)
	for _, s := range older {
		if !slices.ContainsFunc(all, func(newer Source) bool { return newer.SHA256 == s.SHA256 }) {
			all = append(all, s)
		}
	}
	return all, cmp.Or(err, failed)
}

// Damage returns why the service could not process a paper's last PDF, as far as this
// machine knows, or "". It makes no requests.
func (c *Cache) Damage(paper int64) (reason string) {
	last, ok, err := c.Source(paper)
	if err != nil || !ok || last.guid == "" {
		return ""
	}
	if job, err := c.knownJob(last.guid); err == nil && job.Status == remote.JobFailed {
		return cmp.Or(job.Reason, string(job.Status))
	}
	return ""
}
