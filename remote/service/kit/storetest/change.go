package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

func writeIsUndoneOnFailure(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	failure := errors.New("no")
	err := s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		_, err := tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"})
		require.NoError(t, err)
		return failure
	})
	require.ErrorIs(t, err, failure)
	require.Panics(t, func() {
		s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
			_, err := tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"})
			require.NoError(t, err)
			panic("no")
		})
	})
	require.NoError(t, s.Read(ctx, func(tx store.Reader) error {
		all, err := tx.Tenants()
		require.Empty(t, all)
		return err
	}))
}

// readersDoNotWait reads inside a change and sees the state before it.
func readersDoNotWait(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	count := func() (n int) {
		require.NoError(t, s.Read(ctx, func(tx store.Reader) error {
			all, err := tx.Tenants()
			n = len(all)
			return err
		}))
		return n
	}
	require.NoError(t, s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		_, err := tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"})
		require.Zero(t, count())
		return err
	}))
	require.Equal(t, 1, count())
	require.NoError(t, s.Read(ctx, func(tx store.Reader) error { // a read does not see a change that runs during it
		_, err := tx.TenantByName("a")
		require.NoError(t, err)
		require.NoError(t, s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
			_, err := tx.AddTenant(store.Tenant{Name: "b", RootURL: "/"})
			return err
		}))
		_, err = tx.TenantByName("b")
		require.ErrorIs(t, err, store.ErrNotFound)
		return nil
	}))
	require.Equal(t, 2, count())
}

func failuresThatCallersTellApart(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	write := func(f func(tx store.Writer) error) error { return s.Write(ctx, store.AllTenants, f) }
	var tenant, root int64
	require.NoError(t, write(func(tx store.Writer) (err error) {
		if tenant, err = tx.AddTenant(store.Tenant{Name: "a", RootURL: "/", Hosts: []string{"h"}}); err != nil {
			return err
		}
		a, err := tx.TenantByHost("h")
		root = a.Root
		return err
	}))
	require.NoError(t, write(addTenant("default")))
	for host, other := range map[string]bool{"h": false, "x": true} {
		found, err := s.Caller(ctx, host, "nobody")
		require.NoError(t, err)
		require.Equal(t, other, found.OtherHost, host)
	}
	node := store.Node{Tenant: tenant, Parent: root, Kind: remote.PaperNode, Name: "n", URLName: "N"}
	require.NoError(t, write(func(tx store.Writer) error { _, err := tx.AddNode(node); return err }))
	node.URLName = "n"
	require.ErrorIs(t, write(func(tx store.Writer) error { _, err := tx.AddNode(node); return err }), store.ErrTaken)
	require.ErrorIs(t, write(func(tx store.Writer) error {
		_, err := tx.AddTenant(store.Tenant{Name: "b", RootURL: "/", Hosts: []string{"h"}})
		return err
	}), store.ErrTaken)
	require.ErrorIs(t, write(func(tx store.Writer) error {
		_, err := tx.SetNode(store.Node{ID: 999, Parent: root, URLName: "x"})
		return err
	}), store.ErrNotFound)
	require.Error(t, write(func(tx store.Writer) error { return tx.DeleteNode(root) }), "a node with children")
}

// afterAnErrorATransactionIsLeft checks that a transaction ends after an error and loses its
// earlier changes, too, because an engine may reject everything after an error.
func afterAnErrorATransactionIsLeft(t *testing.T, open Open) {
	s := open(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	again := func(tx store.Writer) error {
		require.NoError(t, tx.SetReadOnly(true))
		require.ErrorIs(t, addTenant("a")(tx), store.ErrTaken)
		return nil
	}
	require.ErrorIs(t, s.Write(t.Context(), store.AllTenants, again), store.ErrTaken)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		on, err := tx.ReadOnly()
		require.False(t, on)
		require.NoError(t, err)
		_, err = tx.TenantByName("b") // finding nothing is not a failure
		require.ErrorIs(t, err, store.ErrNotFound)
		return addTenant("b")(tx)
	}))
	require.Equal(t, []string{"a", "b"}, tenants(t, s))
}
