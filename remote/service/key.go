package service

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

const (
	defaultTenant  = "default"
	defaultAccount = "APIKey"
)

// newKey is an account's password: 256 random bits. Being that long it needs
// no slow hash; its SHA-256 is what the store keeps.
func newKey() string {
	var b [32]byte
	rand.Read(b[:]) //nolint:errcheck // never fails
	return hex.EncodeToString(b[:])
}

func hashKey(key string) [32]byte { return sha256.Sum256([]byte(key)) }

// firstStart makes the default tenant and its account where there is none. The
// key is written to client.env before the account exists: after a crash in
// between, the next start simply makes another.
func firstStart(ctx context.Context, s store.Store, data string) error {
	err := s.Read(ctx, func(tx store.Reader) error {
		_, err := tx.TenantByName(defaultTenant)
		return err
	})
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	key := newKey()
	if err := writeClientEnv(data, ClientEnv{Username: defaultAccount, Password: key}); err != nil {
		return err
	}
	return s.Write(ctx, func(tx store.Writer) error {
		id, err := tx.AddTenant(store.Tenant{Name: defaultTenant, RootURL: "/", Orders: true})
		if err != nil {
			return err
		}
		_, err = tx.AddAccount(store.Account{Tenant: id, Name: defaultAccount, KeyHash: hashKey(key), Role: remote.Admin})
		return err
	})
}
