package admin

import (
	"errors"
	"fmt"

	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

// Field describes a custom field of a tenant's papers.
type Field struct{ Name, Type string }

// AddField defines a custom field, as the operation AddCustomField does.
func (m *Admin) AddField(tenant string, f Field) error {
	field := store.Field{Name: f.Name, Type: f.Type}
	if err := property.CheckField(field); err != nil {
		return err
	}
	return m.writeTenant(tenant, func(tx store.Writer, t store.Tenant) error {
		_, err := tx.AddField(t.ID, field)
		if errors.Is(err, store.ErrTaken) {
			return fmt.Errorf("tenant %s already has a custom field %s", tenant, f.Name)
		}
		return err
	})
}

// Fields lists a tenant's custom fields by name.
func (m *Admin) Fields(tenant string) ([]Field, error) {
	var all []Field
	err := m.read(func(tx store.Reader) error {
		t, err := tenantNamed(tx, tenant)
		if err != nil {
			return err
		}
		fields, err := tx.Fields(t.ID)
		for _, f := range fields {
			all = append(all, Field{f.Name, f.Type})
		}
		return err
	})
	return all, err
}

// RemoveField deletes a custom field with its values, and returns it.
func (m *Admin) RemoveField(tenant, name string) (removed Field, err error) {
	err = m.writeTenant(tenant, func(tx store.Writer, t store.Tenant) error {
		f, err := tx.Field(t.ID, name)
		if store.IsNotFound(err) {
			return fmt.Errorf("tenant %s has no custom field %s", tenant, name)
		}
		if err != nil {
			return err
		}
		removed = Field{f.Name, f.Type}
		return tx.DeleteField(f.ID)
	})
	return removed, err
}
