package engine

import (
	"context"
	"errors"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/store"
)

// Init brings a database to where services can begin: its schema, the tenant default,
// its account APIKey and the key that signs the addresses of images. The key of the
// account is told once, "" where there was a tenant already.
func Init(ctx context.Context, database string) (key string, err error) {
	if err := Migrate(ctx, database); err != nil {
		return "", err
	}
	s, err := OpenEmpty(ctx, database)
	if err != nil {
		return "", err
	}
	key, err = first(ctx, s)
	return key, errors.Join(err, s.Close())
}

// first makes what is missing, as one change: of several at once, one does.
func first(ctx context.Context, s store.Store) (key string, err error) {
	err = s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		if _, err := address.LoadImages(tx, time.Now); err != nil {
			return err
		}
		_, err := tx.TenantByName(datadir.DefaultTenant)
		if !store.IsNotFound(err) {
			return err
		}
		key = datadir.NewKey()
		return datadir.AddDefault(tx, key)
	})
	return key, err
}

// Migrate brings the schema of a database up to date, and leaves a newer one.
func Migrate(ctx context.Context, database string) error {
	if err := CheckDatabase(database); err != nil {
		return err
	}
	if err := postgresstore.Migrate(ctx, database); err != nil {
		return explain(database, err)
	}
	return nil
}
