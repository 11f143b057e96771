package service

import (
	"errors"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// getProcessingStatus answers GetProcessingStatus. The reason of a failed job follows
// the documented element.
func getProcessingStatus(c *call, x *answer.Writer) error {
	guid, ok := value.GUID(c.param("jobGuid"))
	if !ok {
		return fault.Invalid("jobGuid is not a GUID.")
	}
	var job store.Job
	err := c.read(func(tx store.Reader) (err error) {
		job, err = tx.Job(c.tenant.ID, guid)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return fault.Invalid("There is no job %s.", guid)
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
