package service

import (
	"paperfs/remote"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
)

// quota returns the tenant's current quota: an administrator may have changed it since
// the call began.
func (c *call) quota(tx store.Reader) (store.Quota, error) {
	t, err := tx.Tenant(c.tenant.ID)
	return t.Quota, err
}

// mediaRoom checks that the upload, which replaces content of freed bytes, fits into a
// quota. An upload that is not larger than what it replaces always fits.
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

// mediaLimit returns the size of the largest file that the quota can allow, whatever the
// file replaces; nil for no limit. It returns nil for a caller that is only remembered,
// too, because its quota may have changed: the change checks it.
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

// paperRoom checks that the tenant may have one more paper.
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
