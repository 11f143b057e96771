package service

import (
	"errors"
	"strings"

	"github.com/google/uuid"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// getProcessingStatus answers GetProcessingStatus. Why a job failed stands
// beside the documented element.
func getProcessingStatus(c *call, x *answer.Writer) error {
	guid, ok := parseGUID(c.param("jobGuid"))
	if !ok {
		return invalid("jobGuid is no GUID.")
	}
	var job store.Job
	err := c.read(func(tx store.Reader) (err error) {
		job, err = tx.Job(c.tenant.ID, guid)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return invalid("There is no job %s.", guid)
	}
	if err != nil {
		return err
	}
	x.Scalar("ProcessStatus", string(job.Status))
	if job.Reason != "" {
		x.Text("Reason", job.Reason)
	}
	return nil
}

// parseGUID reads a GUID of 36 characters in any case, braces around it or
// not, and gives it in lower case.
func parseGUID(s string) (string, bool) {
	s = value.Trim(s)
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
		s = s[1 : len(s)-1]
	}
	if len(s) != 36 {
		return "", false
	}
	id, err := uuid.Parse(s)
	return id.String(), err == nil
}
