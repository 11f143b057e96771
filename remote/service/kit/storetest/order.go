package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// anOrderIsAddedOnce checks that AddOrder replaces no order, neither by id nor by key.
func anOrderIsAddedOnce(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	var tenant, paper, other int64
	require.NoError(t, s.Write(ctx, store.AllTenants, func(tx store.Writer) (err error) {
		if tenant, err = tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"}); err != nil {
			return err
		}
		a, err := tx.TenantByName("a")
		if err != nil {
			return err
		}
		node := store.Node{Tenant: tenant, Parent: a.Root, Kind: remote.PaperNode, Name: "p", URLName: "p"}
		if paper, err = tx.AddNode(node); err != nil {
			return err
		}
		node.Name, node.URLName = "q", "q"
		other, err = tx.AddNode(node)
		return err
	}))
	at := time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC)
	add := func(paper int64, id, key string) error {
		return s.Write(ctx, tenant, func(tx store.Writer) error {
			return tx.AddOrder(tenant, store.Order{ID: id, Paper: paper, Date: at, CheckoutType: "CheckoutByEmail", Lines: []store.OrderLine{{ProductID: "x", Price: "1.5", Amount: 2}}}, key)
		})
	}
	require.NoError(t, add(paper, "aaaaaa", "1"))
	require.ErrorIs(t, add(paper, "aaaaaa", "2"), store.ErrTaken)
	require.ErrorIs(t, add(paper, "bbbbbb", "1"), store.ErrTaken)
	require.NoError(t, add(other, "bbbbbb", "1"))
	require.NoError(t, s.Read(ctx, func(tx store.Reader) error {
		o, err := tx.OrderByKey(other, "1")
		require.NoError(t, err)
		require.Equal(t, "bbbbbb", o.ID)
		require.Len(t, o.Lines, 1)
		total, err := o.Total()
		require.NoError(t, err)
		require.Equal(t, "3", total)
		_, err = tx.OrderByKey(paper, "2")
		require.ErrorIs(t, err, store.ErrNotFound)
		ofPaper, ofTenant, err := tx.CountOrders(tenant, paper, at)
		require.NoError(t, err)
		require.Equal(t, []int{1, 2}, []int{ofPaper, ofTenant})
		ofPaper, ofTenant, err = tx.CountOrders(tenant, paper, at.Add(time.Second))
		require.NoError(t, err)
		require.Equal(t, []int{0, 0}, []int{ofPaper, ofTenant})
		return nil
	}))
}

// anOrderThatIsPutAgainKeepsItsKey checks that an order that an import replaces still belongs
// to the basket that it came from.
func anOrderThatIsPutAgainKeepsItsKey(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	var tenant, paper int64
	order := store.Order{ID: "aaaaaa", Date: time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC), CheckoutType: "CheckoutByEmail", Lines: []store.OrderLine{{ProductID: "x", Price: "1.5", Amount: 2}}}
	require.NoError(t, s.Write(ctx, store.AllTenants, func(tx store.Writer) (err error) {
		if tenant, err = tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"}); err != nil {
			return err
		}
		a, err := tx.TenantByName("a")
		if err != nil {
			return err
		}
		paper, err = tx.AddNode(store.Node{Tenant: tenant, Parent: a.Root, Kind: remote.PaperNode, Name: "p", URLName: "p"})
		order.Paper = paper
		return err
	}))
	require.NoError(t, s.Write(ctx, tenant, func(tx store.Writer) error { return tx.AddOrder(tenant, order, "1") }))
	order.Lines[0].Amount = 3
	for _, id := range []string{"aaaaaa", "bbbbbb"} {
		order.ID = id
		require.NoError(t, s.Write(ctx, tenant, func(tx store.Writer) error { return tx.PutOrder(tenant, order) }))
	}
	require.NoError(t, s.Read(ctx, func(tx store.Reader) error {
		o, err := tx.OrderByKey(paper, "1")
		require.NoError(t, err)
		require.Equal(t, "aaaaaa", o.ID)
		require.EqualValues(t, 3, o.Lines[0].Amount)
		return nil
	}))
}
