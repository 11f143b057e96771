package service

import (
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// mediaRoom checks that so many bytes in place of those of freed keep within
// the tenant's quota. What needs no more than before is always taken.
func (c *call) mediaRoom(tx store.Reader, bytes, freed int64) error {
	quota := c.tenant.Quota.MediaBytes
	if quota == nil || bytes <= freed {
		return nil
	}
	used, err := tx.Usage(c.tenant.ID, c.service.now())
	if err == nil && used.MediaBytes-freed+bytes > *quota {
		return full(remote.FullQuota, "The media quota of %d bytes has no room for this: %d bytes are in use, and the file has %d.", *quota, used.MediaBytes, bytes)
	}
	return err
}

// mediaLimit is how large a file can be at all by the quota, whatever it takes
// the place of; 0 for any size.
func (c *call) mediaLimit() (most int64, err error) {
	quota := c.tenant.Quota.MediaBytes
	if quota == nil || c.op != remote.UploadFile {
		return 0, nil
	}
	err = c.read(func(tx store.Reader) error {
		used, err := tx.Usage(c.tenant.ID, c.service.now())
		most = max(*quota, used.MediaBytes)
		return err
	})
	return most, err
}

// paperRoom checks that the tenant may have one paper more.
func (c *call) paperRoom(tx store.Reader) error {
	quota := c.tenant.Quota.Papers
	if quota == nil {
		return nil
	}
	used, err := tx.Usage(c.tenant.ID, c.service.now())
	if err == nil && used.Papers >= *quota {
		return full(remote.FullQuota, "The quota of %d papers is used up.", *quota)
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
	if err != nil || used.PDFTime < time.Duration(*quota)*time.Minute {
		return err
	}
	next := time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	f := full(remote.FullQuota, "The quota of %d PDF minutes a month is used up until %s.", *quota, next.Format(time.DateOnly))
	f.code = remote.LicenseForbidsProcessing
	return f
}
