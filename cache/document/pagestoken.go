package document

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"paperfs/remote"
)

// Seen tells, for Unchanged, which pages a paper has as far as is known here, and which PDF was
// last sent from here; "" where it is not known whose pages they are: none are in memory, or a PDF
// that was sent from here may be becoming others. Nothing is asked.
func (l *Cache) PagesToken(paper int64) string {
	sent, ok, err := l.Source(paper)
	if err != nil {
		return ""
	}
	if ok {
		job, err := l.knownJob(sent.guid)
		if err != nil || job.Status == "" || job.Status == remote.JobPending {
			return ""
		}
		if job.Status == remote.JobFailed { // one before it may make pages yet
			if pending, err := l.pending(paper); err != nil || len(pending) > 0 {
				return ""
			}
		}
	}
	version, ok := l.PagesVersion(paper)
	if !ok {
		return ""
	}
	return strconv.FormatUint(version, 16) + " " + sent.guid
}

// Unchanged reports whether a paper has the pages that Seen has told of, or may have those of a
// PDF that was sent from here since: 1 request. Where the service does not tell the pages, it has.
func (l *Cache) PagesUnchanged(ctx context.Context, paper int64, seen string) (bool, error) {
	version, guid, _ := strings.Cut(seen, " ")
	sent, _, err := l.Source(paper)
	if err != nil || sent.guid != guid {
		return err == nil, err
	}
	body, err := l.service.GetPaperStructure(remote.Patient(ctx), paper, false)
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Kind == remote.Refused && e.Code != remote.PaperDoesNotExist {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	s := newStructure(body)
	same := s.pagesErr != nil || strconv.FormatUint(versionOf(s.pages), 16) == version
	if !same {
		l.Drop(paper)
	}
	return same, nil
}
