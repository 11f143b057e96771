package postgresstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestTextThatPostgreSQLRefuses checks that such text is stored as far as possible, and fails no
// call.
func TestTextThatPostgreSQLRefuses(t *testing.T) {
	t.Parallel()
	all, _ := nodes(t, 1)
	s := all[0]
	k := addTenant(t, s, "a")
	const odd, carried = "a\x00b\xffc", "a\ufffdb\ufffdc"
	caller, err := s.Caller(t.Context(), odd, odd)
	require.NoError(t, store.IgnoreNotFound(err))
	require.Zero(t, caller.Account)
	order := store.Order{ID: "one", Date: time.Unix(0, 0).UTC(), CheckoutType: odd, Lines: []store.OrderLine{{ProductID: odd, Name: odd, Price: "1"}}}
	require.NoError(t, s.Write(t.Context(), k.ID, func(tx store.Writer) (err error) {
		order.Paper, err = tx.AddNode(store.Node{Tenant: k.ID, Parent: k.Root, Kind: remote.PaperNode, Name: "paper", URLName: "paper"})
		require.NoError(t, err)
		require.NoError(t, tx.SetSetting(k.Root, "a", odd))
		require.NoError(t, tx.ReplacePages(order.Paper, []store.Page{{Number: 1, Text: odd}}))
		return tx.AddOrder(k.ID, order, odd)
	}))
	require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
		value, _ := testrun.Must2(tx.InheritedSetting(k.Root, "a"))(t)
		require.Equal(t, carried, value)
		_, err := tx.Descend(k.ID, k.Root, []string{odd})
		require.ErrorIs(t, err, store.ErrNotFound)
		found := testrun.Must(tx.OrderByKey(order.Paper, odd))(t)
		require.Equal(t, []store.OrderLine{{ProductID: carried, Name: carried, Price: "1"}}, found.Lines)
		return tx.Pages(order.Paper, true, func(p store.Page) error {
			require.Equal(t, carried, p.Text)
			return nil
		})
	}))
}
