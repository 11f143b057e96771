package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

const me, other = "me", "another"

// workers is a store with tenants whose PDFs are queued.
type workers struct {
	*testing.T
	store.Store
	count int
}

func startWork(t *testing.T, open Open) *workers {
	return &workers{T: t, Store: open(t)}
}

// queue queues PDFs of a tenant. Their GUIDs consist of the tenant's number and a global count.
func (w *workers) queue(tenant int64, pdfs int) {
	name := fmt.Sprint(tenant)
	require.NoError(w, w.Write(w.Context(), store.AllTenants, func(tx store.Writer) error {
		k, err := tx.TenantByName(name)
		if store.IsNotFound(err) {
			require.NoError(w, addTenant(name)(tx))
			k, err = tx.TenantByName(name)
		}
		require.NoError(w, err)
		require.Equal(w, tenant, k.ID)
		for range pdfs {
			guid := fmt.Sprintf("%d-%d", tenant, w.count)
			w.count++
			id, err := tx.AddNode(store.Node{Tenant: tenant, Parent: k.Root, Kind: remote.PaperNode, Name: guid, URLName: guid})
			require.NoError(w, err)
			job := store.Job{GUID: guid, Tenant: tenant, Paper: id, Created: time.Unix(int64(w.count), 0).UTC()}
			require.NoError(w, tx.AddWork(store.Work{Job: job, PDF: "pdf of " + guid, PDFSize: 1, Options: "{}"}))
		}
		return nil
	}))
}

// claim returns the GUID of the claimed work; "" for none.
func (w *workers) claim(owner string, lease time.Duration) string {
	work, err := w.Claim(w.Context(), owner, lease)
	if store.IsNotFound(err) {
		return ""
	}
	require.NoError(w, err)
	return work.GUID
}

func (w *workers) end(guid, owner string) error {
	return w.Write(w.Context(), store.AllTenants, func(tx store.Writer) error { return tx.EndWork(guid, owner) })
}

// backlog returns how many jobs there are and how many are claimed.
func (w *workers) backlog() (counts [2]int) {
	require.NoError(w, w.Read(w.Context(), func(tx store.Reader) error {
		b, err := tx.Backlog()
		counts = [2]int{b.Jobs, b.UnderWay}
		return err
	}))
	return counts
}

// tenantsTakeTurns checks that a tenant that queues many PDFs delays others only by the PDFs
// that are already being processed.
func tenantsTakeTurns(t *testing.T, open Open) {
	w := startWork(t, open)
	w.queue(1, 5)
	w.queue(2, 2)
	w.queue(3, 1)
	var order []string
	for {
		guid := w.claim(me, time.Hour)
		if guid == "" {
			break
		}
		order = append(order, guid)
		require.NoError(t, w.end(guid, me)) // one at a time
	}
	require.Equal(t, []string{"1-0", "2-5", "3-7", "1-1", "2-6", "1-2", "1-3", "1-4"}, order)

	// While two PDFs of one tenant are being processed, another tenant's PDF goes before its
	// third.
	w.queue(1, 3)
	require.Equal(t, []string{"1-8", "1-9"}, []string{w.claim(me, time.Hour), w.claim(other, time.Hour)})
	w.queue(2, 1)
	require.Equal(t, "2-11", w.claim(me, time.Hour))
}

// aLeaseIsAnOwners checks that only the owner has the work until the lease ends, and that only
// the next owner can end it then.
func aLeaseIsAnOwners(t *testing.T, open Open) {
	w := startWork(t, open)
	w.queue(1, 1)
	require.Equal(t, "1-0", w.claim(me, time.Hour))
	require.Empty(t, w.claim(other, time.Hour))
	require.Equal(t, [2]int{1, 1}, w.backlog())
	require.ErrorIs(t, w.Renew(t.Context(), "1-0", other, 10, time.Hour), store.ErrNotFound)
	require.ErrorIs(t, w.Release(t.Context(), "1-0", other, 0), store.ErrNotFound)
	require.ErrorIs(t, w.end("1-0", other), store.ErrNotFound)
	require.NoError(t, w.Renew(t.Context(), "1-0", me, 40, 0)) // ends at once
	require.Equal(t, [2]int{1, 0}, w.backlog())
	require.NoError(t, w.Read(t.Context(), func(tx store.Reader) error {
		j, err := tx.Job(1, "1-0")
		require.Equal(t, 40, j.Progress)
		return err
	}))

	taken, err := w.Claim(t.Context(), other, time.Hour)
	require.NoError(t, err)
	require.Equal(t, 2, taken.Attempts)
	require.Zero(t, taken.Progress)
	require.ErrorIs(t, w.Renew(t.Context(), "1-0", me, 50, time.Hour), store.ErrNotFound)
	require.ErrorIs(t, w.end("1-0", me), store.ErrNotFound)

	require.NoError(t, w.Release(t.Context(), "1-0", other, 1))
	again, err := w.Claim(t.Context(), me, time.Hour)
	require.NoError(t, err)
	require.Equal(t, 2, again.Attempts)
	require.NoError(t, w.Abandon(t.Context(), other))
	require.Empty(t, w.claim(other, time.Hour))
	require.NoError(t, w.Abandon(t.Context(), me))
	require.Equal(t, "1-0", w.claim(other, time.Hour))
	require.NoError(t, w.end("1-0", other))
	require.Empty(t, w.claim(me, time.Hour))
}

// nothingToClaimWaitsForNoChange claims inside a change.
func nothingToClaimWaitsForNoChange(t *testing.T, open Open) {
	w := startWork(t, open)
	require.NoError(t, w.Write(t.Context(), store.AllTenants, func(store.Writer) error {
		_, err := w.Claim(context.Background(), me, time.Hour)
		require.ErrorIs(t, err, store.ErrNotFound)
		return nil
	}))
}

// timeIsShared checks that the tenant goes first that has used the least time, and that
// one with nothing to do for long is ahead of the others by a bounded time.
func timeIsShared(t *testing.T, open Open) {
	w := startWork(t, open)
	w.queue(1, 3)
	w.queue(2, 4)
	next := func(took time.Duration) string {
		guid := w.claim(me, time.Hour)
		require.NoError(t, w.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
			require.NoError(t, tx.AddPDFTime(int64(guid[0]-'0'), time.Now(), took))
			return tx.EndWork(guid, me)
		}))
		return guid
	}
	require.Equal(t, "1-0", next(time.Minute))
	for _, guid := range []string{"2-3", "2-4", "2-5"} {
		require.Equal(t, guid, next(25*time.Second))
	}
	require.Equal(t, "1-1", next(time.Hour))
	w.queue(3, 2)
	require.Equal(t, "3-7", next(store.TurnCredit+time.Minute))
	require.Equal(t, "2-6", next(time.Second))
	require.Equal(t, "1-2", next(time.Second))
	require.Equal(t, "3-8", next(time.Second))
}

// anotherTenantGoesBetween checks for whom a tenant's work has to wait.
func anotherTenantGoesBetween(t *testing.T, open Open) {
	w := startWork(t, open)
	w.queue(1, 3)
	between := func(tenant int64, used time.Duration) string {
		work, err := w.ClaimOther(t.Context(), me, time.Hour, tenant, used)
		if store.IsNotFound(err) {
			return ""
		}
		require.NoError(t, err)
		return work.GUID
	}
	require.Equal(t, "1-0", w.claim(me, time.Hour))
	require.Empty(t, between(1, time.Hour), "nobody else")
	w.queue(2, 3)
	require.NoError(t, w.Write(t.Context(), store.AllTenants, func(tx store.Writer) error { return tx.AddPDFTime(2, time.Now(), time.Minute) }))
	require.Empty(t, between(1, time.Second), "the other has used more")
	require.Equal(t, "2-3", between(1, 2*time.Minute))
	require.Empty(t, between(1, time.Hour), "the other has something under way")
}
