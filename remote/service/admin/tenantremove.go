package admin

import (
	"fmt"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/filestore"
	"paperfs/remote/service/store"
)

// Belongings counts what belongs to a tenant.
func (m *Admin) Belongings(tenant string) (b store.Belongings, err error) {
	err = m.read(func(tx store.Reader) error {
		t, err := tenantNamed(tx, tenant)
		if err != nil {
			return err
		}
		b, err = tx.Belongings(t.ID)
		return err
	})
	return b, err
}

// RemoveTenant removes a tenant with everything that belongs to it, in one change. Its content
// goes to the trash, except content that another tenant's record names. It also removes
// client.env if that is for an account of the tenant. The tenant default cannot be removed.
func (m *Admin) RemoveTenant(tenant string) error {
	if tenant == datadir.DefaultTenant {
		return fmt.Errorf("the tenant %s cannot be removed: it serves the host names that select no other tenant", datadir.DefaultTenant)
	}
	var contents *filestore.Store // nil: the change drops the content
	if m.external == nil {
		var err error
		if contents, err = m.contents(); err != nil {
			return err
		}
	}
	var keys []string
	owns := false
	err := m.write(func(tx store.Writer) error {
		t, err := tenantNamed(tx, tenant)
		if err != nil {
			return err
		}
		_, owner, err := m.clientEnv(tx)
		if err != nil {
			return err
		}
		owns = owner.Tenant == t.ID
		err = tx.TenantContent(t.ID, func(key string) error { keys = append(keys, key); return nil })
		if err != nil {
			return err
		}
		if err := tx.DeleteTenant(t.ID); err != nil {
			return err
		}
		for _, key := range keys { // no effect on files: discard moves those
			if err := tx.DropContent(key); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && owns {
		err = m.removeClientEnv()
	}
	if err != nil {
		return err
	}
	if contents == nil {
		return nil
	}
	return m.discard(contents, keys)
}

// discard moves content that no record names any more to the trash.
func (m *Admin) discard(contents *filestore.Store, keys []string) error {
	return m.read(func(tx store.Reader) error {
		for _, key := range keys {
			named, err := tx.ContentKeys(key)
			if err != nil {
				return err
			}
			if len(named) > 0 {
				continue
			}
			if err := contents.Discard(key); err != nil {
				return fmt.Errorf("the tenant is removed; the next start moves the rest of its content to the trash: %w", err)
			}
		}
		return nil
	})
}
