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

// Init prepares a database for services: its schema, the tenant default, its account APIKey and
// the key that signs image addresses. It returns the account's key, which cannot be retrieved
// later, or "" if the tenant already existed.
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

// first creates what is missing, in one change, so that only one of several concurrent calls
// does.
func first(ctx context.Context, s store.Store) (key string, err error) {
	err = s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		if _, err := address.LoadImages(tx, time.Now); err != nil {
			return err
		}
		key = ""
		_, err := tx.TenantByName(datadir.DefaultTenant)
		if !store.IsNotFound(err) {
			return err
		}
		key = datadir.NewKey()
		return datadir.AddDefault(tx, key)
	})
	return key, err
}

// Migrate brings the schema of a database up to date. It leaves a newer schema alone.
func Migrate(ctx context.Context, database string) error {
	if err := CheckDatabase(database); err != nil {
		return err
	}
	if err := postgresstore.Migrate(ctx, database); err != nil {
		return explain(database, err)
	}
	return nil
}
