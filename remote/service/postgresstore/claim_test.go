package postgresstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestLeasesWaitForNoChange checks that leases do not wait for a change that ends their work, such
// as the removal of a large tenant. Otherwise the waiting claims would occupy all connections for
// short calls, and the node could not even report that it is ready.
func TestLeasesWaitForNoChange(t *testing.T) {
	t.Parallel()
	s := open(t, enginetest.Database(t))
	k := addTenant(t, s, "a")
	jobs := []string{"one", "two"}
	require.NoError(t, s.Write(t.Context(), k.ID, func(tx store.Writer) error {
		for _, guid := range jobs {
			id := testrun.Must(tx.AddNode(store.Node{Tenant: k.ID, Parent: k.Root, Kind: remote.PaperNode, Name: guid, URLName: guid}))(t)
			require.NoError(t, tx.AddWork(store.Work{Job: store.Job{GUID: guid, Tenant: k.ID, Paper: id}, PDF: guid, PDFSize: 1, Options: "{}"}))
		}
		return nil
	}))
	for _, guid := range jobs {
		require.Equal(t, guid, testrun.Must(s.Claim(t.Context(), "me", time.Hour))(t).GUID)
	}
	undone := errors.New("undone")
	removal := func(end error) error {
		return s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
			require.NoError(t, tx.DeleteTenant(k.ID))
			soon, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			for _, guid := range jobs {
				require.NoError(t, s.Renew(soon, guid, "me", 50, time.Hour))
				require.NoError(t, s.Release(soon, guid, "me", 0))
			}
			require.NoError(t, s.Abandon(soon, "me"))
			require.NoError(t, s.Ready(soon))
			return end
		})
	}
	require.ErrorIs(t, removal(undone), undone)
	require.NoError(t, s.Renew(t.Context(), "one", "me", 50, time.Hour), "nobody else has claimed it")
	require.NoError(t, removal(nil))
	require.ErrorIs(t, s.Renew(t.Context(), "one", "me", 50, time.Hour), store.ErrNotFound)
	require.ErrorIs(t, s.Release(t.Context(), "two", "me", 0), store.ErrNotFound)
}

// TestAWebhookIsOneOwners checks that two nodes share no webhook, that its owner keeps it, and that the other one has
// it after the lease or a release, also while a change of the tenant has the webhook.
func TestAWebhookIsOneOwners(t *testing.T) {
	t.Parallel()
	s := open(t, enginetest.Database(t))
	k := addTenant(t, s, "a")
	var one int64
	require.NoError(t, s.Write(t.Context(), k.ID, func(tx store.Writer) (err error) {
		one, err = tx.AddWebhook(store.Webhook{Tenant: k.ID, URL: "https://a.example", Events: store.HookEvents}, time.Now())
		return err
	}))
	claim := func(owner string, lease time.Duration, want ...int64) {
		t.Helper()
		soon, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		got := testrun.Must(s.ClaimWebhooks(soon, owner, lease))(t)
		require.Equal(t, want, append([]int64(nil), got...))
	}
	claim("me", time.Hour, one)
	claim("other", time.Hour)
	require.NoError(t, s.Write(t.Context(), k.ID, func(tx store.Writer) error {
		w := testrun.Must(tx.Webhook(one))(t)
		require.NoError(t, tx.MoveMark(w, w.Mark+1))
		claim("me", time.Hour, one)
		return nil
	}))
	claim("me", 0, one)
	claim("other", 0, one)
	claim("me", time.Hour, one)
	require.NoError(t, s.Write(t.Context(), k.ID, func(tx store.Writer) error { return tx.RemoveWebhook(k.ID, one) }))
	claim("me", time.Hour)
}
