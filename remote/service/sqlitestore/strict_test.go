package sqlitestore

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

func init() { Strict = true }

// TestAVisitAsksNothing checks that a visit function cannot query: with another engine, the
// connection is still reading rows.
func TestAVisitAsksNothing(t *testing.T) {
	t.Parallel()
	s, _ := openNew(t)
	var tenant store.Tenant
	require.NoError(t, s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		testrun.Must(tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"}))(t)
		tenant = testrun.Must(tx.TenantByName("a"))(t)
		testrun.Must(tx.AddNode(store.Node{Tenant: tenant.ID, Parent: tenant.Root, Kind: remote.PaperNode, Name: "p", URLName: "p"}))(t)
		_, err := tx.AddFile(tenant.ID, store.File{Name: "f"})
		return err
	}))
	for name, visit := range map[string]func(tx store.Reader, ask func() error) error{
		"a walk": func(tx store.Reader, ask func() error) error {
			return tx.Walk(tenant.Root, func(store.Node, int) error { return ask() })
		},
		"of rows": func(tx store.Reader, ask func() error) error {
			return tx.Files(tenant.ID, []int64{0}, func(store.File) error { return ask() })
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, ask := range []func(tx store.Reader) error{
				func(tx store.Reader) error { _, err := tx.Tenants(); return err },
				func(tx store.Reader) error { _, err := tx.HasChildren(tenant.Root); return err },
				func(tx store.Reader) error { return tx.Walk(tenant.Root, func(store.Node, int) error { return nil }) },
			} {
				require.Panics(t, func() {
					_ = s.Read(t.Context(), func(tx store.Reader) error {
						return visit(tx, func() error { return ask(tx) })
					})
				})
			}
			require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
				if err := visit(tx, func() error { return nil }); err != nil {
					return err
				}
				_, err := tx.Tenants() // it can be used again
				return err
			}))
		})
	}
}

// TestAfterAnErrorNothingIsAsked checks that a transaction cannot be used after an error: another
// engine rejects everything then.
func TestAfterAnErrorNothingIsAsked(t *testing.T) {
	t.Parallel()
	s, _ := openNew(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	require.Panics(t, func() {
		_ = s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
			require.ErrorIs(t, addTenant("a")(tx), store.ErrTaken)
			_, err := tx.Tenants()
			return err
		})
	})
}

// TestAChangeIsOfOneTenant checks that a change cannot write for another tenant: another engine
// runs changes of other tenants concurrently.
func TestAChangeIsOfOneTenant(t *testing.T) {
	t.Parallel()
	s, _ := openNew(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("b")))
	add := func(tenant int64) func(store.Writer) error {
		return func(tx store.Writer) error {
			_, err := tx.AddDir(tenant, store.Dir{Name: "d"})
			return err
		}
	}
	require.NoError(t, s.Write(t.Context(), 1, add(1)))
	require.NoError(t, s.Write(t.Context(), store.AllTenants, add(2)))
	require.Panics(t, func() { _ = s.Write(t.Context(), 1, add(2)) })
	require.Panics(t, func() {
		_ = s.Write(t.Context(), 1, func(tx store.Writer) error { return tx.SetReadOnly(true) })
	})
}
