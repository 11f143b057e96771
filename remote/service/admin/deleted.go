package admin

import (
	"time"

	"paperfs/remote/service"
	"paperfs/remote/service/store"
)

// Deleted lists what changes took away from a tenant at or below a path since a time, newest first; the zero
// values mean no limit.
func (m *Admin) Deleted(tenant, path string, since time.Time) (all []service.KeptEntry, err error) {
	err = m.read(func(tx store.Reader) error {
		t, err := tenantNamed(tx, tenant)
		if err == nil {
			all, err = service.NewKeeping(t).List(tx, path, since)
		}
		return err
	})
	return all, err
}

// RestoreDeleted brings entries of a tenant back, in one change, with the directories and categories that they were
// in. name is another name for a single one, or "".
func (m *Admin) RestoreDeleted(tenant string, entries []int64, name string) (back []service.KeptEntry, err error) {
	return m.keeping(tenant, func(tx store.Writer, k *service.Keeping) ([]service.KeptEntry, error) {
		return k.Restore(tx, entries, name)
	})
}

// PurgeDeleted removes entries of a tenant for good, in one change.
func (m *Admin) PurgeDeleted(tenant string, entries []int64) (gone []service.KeptEntry, err error) {
	return m.keeping(tenant, func(tx store.Writer, k *service.Keeping) ([]service.KeptEntry, error) { return k.Purge(tx, entries) })
}

func (m *Admin) keeping(tenant string, change func(store.Writer, *service.Keeping) ([]service.KeptEntry, error)) (all []service.KeptEntry, err error) {
	err = m.writeTenant(tenant, func(tx store.Writer, t store.Tenant) error {
		all, err = change(tx, service.NewKeeping(t))
		return err
	})
	return all, err
}
