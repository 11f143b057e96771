package document

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"paperfs/remote"
)

// PagesToken identifies, for PagesUnchanged, the cached pages of a paper and the PDF last
// sent from this machine. It returns "" if the current pages cannot be identified: none
// are in memory, or a PDF sent from this machine may still replace them. It makes no
// requests.
func (c *Cache) PagesToken(paper int64) string {
	sent, ok, err := c.Source(paper)
	if err != nil {
		return ""
	}
	if ok {
		job, err := c.knownJob(sent.guid)
		if err != nil || job.Status == "" || job.Status == remote.JobPending {
			return ""
		}
		if job.Status == remote.JobFailed { // an older job may still create pages
			if pending, err := c.pending(paper); err != nil || len(pending) > 0 {
				return ""
			}
		}
	}
	version, ok := c.PagesVersion(paper)
	if !ok {
		return ""
	}
	return strconv.FormatUint(version, 16) + " " + sent.guid
}

// PagesUnchanged reports whether a paper still has the pages that token identifies, or may
// have those of a PDF sent from this machine since: 1 request. If the service refuses to
// return the pages, it reports true.
func (c *Cache) PagesUnchanged(ctx context.Context, paper int64, token string) (bool, error) {
	version, guid, _ := strings.Cut(token, " ")
	sent, _, err := c.Source(paper)
	if err != nil || sent.guid != guid {
		return err == nil, err
	}
	body, err := c.service.GetPaperStructure(remote.Patient(ctx), paper, false)
	if e, ok := errors.AsType[*remote.Error](err); ok && e.Kind == remote.Refused && e.Code != remote.PaperDoesNotExist {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	s := newStructure(body)
	same := s.pagesErr != nil || strconv.FormatUint(versionOf(s.pages), 16) == version
	if !same {
		c.Drop(paper)
	}
	return same, nil
}
