package sqlitestore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestACommitThatFails checks that the connection is then outside any transaction and can be used
// for other changes: SQLite alone would stay inside.
func TestACommitThatFails(t *testing.T) {
	t.Parallel()
	s, _ := openNew(t)
	err := s.Write(t.Context(), store.AllTenants, func(w store.Writer) error {
		x := w.(*tx)
		if _, err := x.Conn.ExecContext(x.ctx, "PRAGMA defer_foreign_keys = 1"); err != nil {
			return err
		}
		_, err := x.ExecContext(x.ctx, "INSERT INTO account (tenant, name, key_hash, role) VALUES (99, 'a', zeroblob(32), 1)")
		return err
	})
	require.ErrorContains(t, err, "commit")
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	require.Equal(t, []string{"a"}, tenants(t, s))
}

// TestAReadThatIsGivenUp checks that the read ends, and releases everything that others need.
func TestAReadThatIsGivenUp(t *testing.T) {
	t.Parallel()
	s, file := openNew(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	for range 20 {
		ctx, giveUp := context.WithCancel(t.Context())
		err := s.Read(ctx, func(r store.Reader) error {
			x := r.(*tx)
			return x.Each("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", nil, func(func(...any) error) error {
				giveUp()
				return nil
			})
		})
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, s.Read(ctx, func(store.Reader) error { panic("it was given up before") }), context.Canceled)
		_, err = s.Caller(ctx, "", "a")
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, []string{"a"}, tenants(t, s))
	}
	require.NoError(t, s.Close())
	require.Len(t, testrun.Must(os.ReadDir(filepath.Dir(file)))(t), 1)
}

// BenchmarkReadPlain and BenchmarkRead read four rows in one transaction, with different
// statements.
func BenchmarkReadPlain(b *testing.B) { benchRead(b, context.Background()) }
func BenchmarkRead(b *testing.B)      { benchRead(b, b.Context()) }
func benchRead(b *testing.B, ctx context.Context) {
	s := testrun.Must(Open(b.Context(), b.TempDir()+"/db"))(b)
	defer s.Close()
	require.NoError(b, s.Write(b.Context(), store.AllTenants, addTenant("default")))
	four := func(r store.Reader) error {
		k, err := r.TenantByHost("h")
		if err != nil {
			return err
		}
		if _, err = r.MediaVersion(k.ID); err != nil {
			return err
		}
		if _, err = r.ReadOnly(); err != nil {
			return err
		}
		_, err = r.DirEmpty(k.ID, 0)
		return err
	}
	for b.Loop() {
		if err := s.Read(ctx, four); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWalk visits 20 categories of 50 papers each.
func BenchmarkWalk(b *testing.B) {
	s := testrun.Must(Open(b.Context(), b.TempDir()+"/db"))(b)
	defer s.Close()
	var root int64
	require.NoError(b, s.Write(b.Context(), store.AllTenants, func(w store.Writer) error {
		id, err := w.AddTenant(store.Tenant{Name: "default", RootURL: "/"})
		if err != nil {
			return err
		}
		k, err := w.Tenant(id)
		root = k.Root
		for c := 0; c < 20 && err == nil; c++ {
			var category int64
			category, err = w.AddNode(store.Node{Tenant: id, Parent: root, Kind: 1, Name: "c", URLName: fmt.Sprint("c", c)})
			for p := 0; p < 50 && err == nil; p++ {
				_, err = w.AddNode(store.Node{Tenant: id, Parent: category, Kind: 2, Name: "p", URLName: fmt.Sprint("p", p)})
			}
		}
		return err
	}))
	for b.Loop() {
		err := s.Read(b.Context(), func(r store.Reader) error {
			return r.Walk(root, func(store.Node, int) error { return nil })
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCaller runs the query that every request runs.
func BenchmarkCaller(b *testing.B) {
	s := testrun.Must(Open(b.Context(), b.TempDir()+"/db"))(b)
	defer s.Close()
	require.NoError(b, s.Write(b.Context(), store.AllTenants, addTenant("default")))
	for b.Loop() {
		if _, err := s.Caller(b.Context(), "h", "a"); err != nil {
			b.Fatal(err)
		}
	}
}
