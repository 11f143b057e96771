package datadir

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
	DefaultTenant  = "default"
	DefaultAccount = "APIKey"
)

// NewKey returns a new password of an account: 256 random bits. A key that long needs no slow
// hash, so the store keeps its SHA-256.
func NewKey() string {
	var b [32]byte
	rand.Read(b[:]) //nolint:errcheck // never fails
	return hex.EncodeToString(b[:])
}

func HashKey(key string) [32]byte { return sha256.Sum256([]byte(key)) }

// FirstStart creates the default tenant and its account if they do not exist. It writes the key
// to client.env before it creates the account: after a crash in between, the next start simply
// generates another key.
func FirstStart(ctx context.Context, s store.Store, data string) error {
	err := s.Read(ctx, func(tx store.Reader) error {
		_, err := tx.TenantByName(DefaultTenant)
		return err
	})
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	key := NewKey()
	if err := WriteClientEnv(data, ClientEnv{Username: DefaultAccount, Password: key}); err != nil {
		return err
	}
	return s.Write(ctx, store.AllTenants, func(tx store.Writer) error { return AddDefault(tx, key) })
}

// AddDefault creates the default tenant and its account with a key.
func AddDefault(tx store.Writer, key string) error {
	id, err := tx.AddTenant(store.Tenant{Name: DefaultTenant, RootURL: "/", Orders: true})
	if err != nil {
		return err
	}
	_, err = tx.AddAccount(store.Account{Tenant: id, Name: DefaultAccount, KeyHash: HashKey(key), Role: remote.Admin})
	return err
}
