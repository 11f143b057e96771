package processing

import (
	"time"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// MinutesLeft refuses, with a *answer.Fault, a tenant that has used up its PDF minutes of this
// month. A job that has begun may go past them.
func MinutesLeft(tx store.Reader, t store.Tenant, now time.Time) error {
	quota := t.Quota.PDFMinutes
	if quota == nil {
		return nil
	}
	now = now.UTC()
	used, err := tx.Usage(t.ID, now)
	if err != nil || int64(used.PDFTime/time.Minute) < *quota {
		return err
	}
	next := time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	f := answer.Full(remote.FullQuota, "The quota of %d PDF minutes a month is used up until %s.", *quota, next.Format(time.DateOnly))
	f.Code = remote.LicenseForbidsProcessing
	return f
}
