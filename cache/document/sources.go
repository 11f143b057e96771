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

// SetWritten changes the modification time of a paper's PDF, if one was sent from this
// machine. It makes no requests.
func (c *Cache) SetWritten(paper int64, at time.Time) error {
	_, err := c.db.Exec(`UPDATE source SET written = ? WHERE paper = ?`, at.UnixNano(), paper)
	return err
}

// Source returns the PDF that was last sent from this machine for a paper; ok is false if
// there is none. It makes no requests.
func (c *Cache) Source(paper int64) (s Source, ok bool, err error) {
	err = s.scan(c.db.QueryRow(`SELECT `+columns+` FROM source WHERE paper = ?`, paper).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return Source{}, false, nil
	}
	return s, err == nil, err
}

// OnDamaged sets the function called with damaged PDFs, and the one that tells where a paper is. Call it before sending any PDF.
func (c *Cache) OnDamaged(told Damaged, pathOf func(paper int64) string) {
	c.damaged, c.pathOf = told, pathOf
}

// keepPrevious moves the PDF last sent for a paper to the older ones, unless it is known
// to be damaged. It drops the older ones if the last one is good.
func keepPrevious(tx *sql.Tx, paper int64) error {
	_, err := tx.Exec(`DELETE FROM source_before WHERE paper = ?1 AND EXISTS (
		SELECT 1 FROM source LEFT JOIN job USING (guid) WHERE source.paper = ?1 AND coalesce(job.status, ?2) IN (?2, ?3))`, paper, remote.JobCompleted, remote.JobEnrichmentFailed)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO source_before (paper, `+columns+`)
		SELECT source.paper, `+columns+` FROM source LEFT JOIN job USING (guid)
		WHERE source.paper = ?1 AND coalesce(job.status, '') <> ?2`, paper, remote.JobFailed)
	return err
}

// olderSources returns the PDFs sent for a paper before the last one, newest first.
func (c *Cache) olderSources(paper int64) ([]Source, error) {
	return all(c.db, func(scan func(...any) error, s *Source) error { return s.scan(scan) },
		`SELECT `+columns+` FROM source_before WHERE paper = ? ORDER BY id DESC`, paper)
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
