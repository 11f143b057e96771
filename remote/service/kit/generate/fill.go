package generate

import (
	"context"

	"paperfs/remote/service/store"
)

// Fill generates a Spec in a tenant, beside a service that uses the same store. It is one change: if it
// fails, nothing is added.
func Fill(s store.Store, spec Spec, tenant string) (made Report, err error) {
	if err := spec.Check(); err != nil {
		return Report{}, err
	}
	var found store.Tenant
	err = s.Read(context.Background(), func(tx store.Reader) (err error) {
		found, err = tx.TenantByName(tenant)
		return err
	})
	if err != nil {
		return Report{}, err
	}
	err = s.Write(context.Background(), found.ID, func(tx store.Writer) error {
		if made, err = Tree(tx, found, spec); err != nil {
			return err
		}
		media, err := Library(tx, found, spec)
		made.Directories, made.Files = media.Directories, media.Files
		return err
	})
	if err != nil {
		return Report{}, err
	}
	return made, nil
}
