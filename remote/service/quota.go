package service

import (
	"time"

	"paperfs/remote"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
)

// quota is what the tenant may have now: an administrator may have set another
// since the call began.
func (c *call) quota(tx store.Reader) (store.Quota, error) {
	t, err := tx.Tenant(c.tenant.ID)
	return t.Quota, err
}

// mediaRoom checks that the content that arrived, in place of freed bytes, keeps
// within a quota. Content that needs no more room than before is always taken.
func (c *call) mediaRoom(tx store.Reader, quota, freed int64) error {
	bytes := c.upload.size
	if bytes <= freed {
		return nil
	}
	used, err := tx.Usage(c.tenant.ID, c.service.now())
	if err == nil && used.MediaBytes-freed+bytes > quota {
		return fault.Full(remote.FullQuota, "The media quota of %d bytes has no room for this: %d bytes are in use, and the file has %d.", quota, used.MediaBytes, bytes)
	}
	return err
}

// mediaLimit is how many bytes a file can have at all by the quota, whatever it
// takes the place of; nil for any number, and for a caller that is only remembered,
// whose quota may be another now: its change looks.
func (c *call) mediaLimit() (most *int64, err error) {
	quota := c.tenant.Quota.MediaBytes
	if quota == nil || c.op != remote.UploadFile || c.unconfirmed {
		return nil, nil
	}
	err = c.read(func(tx store.Reader) error {
		used, err := tx.Usage(c.tenant.ID, c.service.now())
		most = new(max(*quota, used.MediaBytes))
		return err
	})
	return most, err
}

// paperRoom checks that the tenant may have one paper more.
func (c *call) paperRoom(tx store.Reader) error {
	quota, err := c.quota(tx)
	if err != nil || quota.Papers == nil {
		return err
	}
	used, err := tx.Usage(c.tenant.ID, c.service.now())
	if err == nil && used.Papers >= *quota.Papers {
		return fault.Full(remote.FullQuota, "The quota of %d papers is used up.", *quota.Papers)
	}
	return err
}

// pdfRoom checks that the tenant has minutes left for a PDF this month. One that
// is under way may go past them. Its refusal is a *fault.
func (s *Service) pdfRoom(tx store.Reader, t store.Tenant) error {
	quota := t.Quota.PDFMinutes
	if quota == nil {
		return nil
	}
	now := s.now().UTC()
	used, err := tx.Usage(t.ID, now)
	if err != nil || int64(used.PDFTime/time.Minute) < *quota {
		return err
	}
	next := time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	f := fault.Full(remote.FullQuota, "The quota of %d PDF minutes a month is used up until %s.", *quota, next.Format(time.DateOnly))
	f.Code = remote.LicenseForbidsProcessing
	return f
}
