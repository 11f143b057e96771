package document

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/google/uuid"

	"paperfs/remote"
)

// JobName returns the canonical form of a job's GUID (lower case, no braces). ok is false
// if name is not a GUID: 32 hexadecimal digits in hyphenated groups, in any case, with or
// without braces (contract, 3.19).
func JobName(name string) (guid string, ok bool) {
	name = strings.TrimSpace(name)
	if len(name) == 38 && name[0] == '{' && name[37] == '}' {
		name = name[1:37]
	}
	if len(name) != 36 {
		return "", false
	}
	id, err := uuid.Parse(name)
	return id.String(), err == nil
}

// Job is the last known state of a processing job.
type Job struct {
	GUID   string
	Status remote.JobStatus
	Reason string // of a failure, for people, if the service gives one
}

// Jobs returns the jobs whose status was requested on this machine with success, and those
// started on it, in the order in which they were first recorded. It makes no requests.
func (c *Cache) Jobs() ([]string, error) {
	return c.texts(`SELECT guid FROM job ORDER BY rowid`)
}

// paperOf returns the paper of a job that was started on this machine.
func (c *Cache) paperOf(guid string) (paper int64, ok bool) {
	var found sql.NullInt64
	err := c.db.QueryRow(`SELECT paper FROM job WHERE guid = ?`, guid).Scan(&found)
	return found.Int64, err == nil && found.Valid
}

// pending returns the jobs of a paper that were started on this machine and are not known
// to have ended.
func (c *Cache) pending(paper int64) ([]string, error) {
	return c.texts(`SELECT guid FROM job WHERE paper = ? AND status = ?`, paper, remote.JobPending)
}

// knownJob returns what the state database records about a job; Status is empty if nothing
// is recorded.
func (c *Cache) knownJob(guid string) (Job, error) {
	job := Job{GUID: guid}
	err := c.db.QueryRow(`SELECT status, reason FROM job WHERE guid = ?`, guid).Scan(&job.Status, &job.Reason)
	if errors.Is(err, sql.ErrNoRows) {
		return job, nil
	}
	return job, err
}

// addJob records a job of a paper that was started on this machine.
func (c *Cache) addJob(ctx context.Context, tx interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, paper int64, guid string) error {
	c.others.byPaper.Delete(paper)
	_, err := tx.ExecContext(ctx, `INSERT INTO job (guid, status, paper, began) VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT (guid) DO UPDATE SET paper = ?3, began = ?4`, // its status may have been requested already
		guid, remote.JobPending, paper, c.now().UnixNano())
	return err
}
