package sqlitestore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// together runs changes that share a commit: the others wait while the first runs.
func together(t *testing.T, s *Store, changes ...func(store.Writer) error) []error {
	errs := make([]error, len(changes))
	var group sync.WaitGroup
	defer group.Wait()
	first := func(tx store.Writer) error {
		for i := range changes[1:] {
			group.Go(func() {
				defer func() {
					if r := recover(); r != nil {
						errs[i+1] = fmt.Errorf("panic: %v", r)
					}
				}()
				errs[i+1] = s.Write(context.Background(), store.AllTenants, changes[i+1])
			})
			require.Eventually(t, func() bool { return s.changes.waiting.Load() == int64(i+1) }, testrun.Patience(), 100*time.Microsecond)
		}
		return changes[0](tx)
	}
	errs[0] = s.Write(context.Background(), store.AllTenants, first)
	return errs
}

func addTenant(name string) func(store.Writer) error {
	return func(tx store.Writer) error {
		_, err := tx.AddTenant(store.Tenant{Name: name, RootURL: "/"})
		return err
	}
}

func tenants(t *testing.T, s *Store) (names []string) {
	require.NoError(t, s.Read(context.Background(), func(tx store.Reader) error {
		all, err := tx.Tenants()
		for _, k := range all {
			names = append(names, k.Name)
		}
		return err
	}))
	return names
}

// TestChangesThatShareACommit checks that each fails or succeeds independently, at any position in
// the batch.
func TestChangesThatShareACommit(t *testing.T) {
	t.Parallel()
	failure := errors.New("no")
	fails := func(tx store.Writer) error {
		require.NoError(t, addTenant("undone")(tx))
		return failure
	}
	panics := func(tx store.Writer) error {
		require.NoError(t, addTenant("undone")(tx))
		panic("no")
	}
	for place := range 4 {
		for _, bad := range []func(store.Writer) error{fails, panics} {
			s, _ := openNew(t)
			changes := []func(store.Writer) error{addTenant("a"), addTenant("b"), addTenant("c"), addTenant("d")}
			want := []string{"a", "b", "c", "d"}
			changes[place] = bad
			want = append(want[:place:place], want[place+1:]...)
			var errs []error
			func() {
				defer func() { _ = recover() }()
				errs = together(t, s, changes...)
			}()
			for i, err := range errs {
				if i == place {
					require.ErrorContains(t, err, "no")
				} else {
					require.NoError(t, err)
				}
			}
			require.ElementsMatch(t, want, tenants(t, s))
		}
	}
}

// TestATransactionThatIsUndone checks that none of its changes is reported as done.
func TestATransactionThatIsUndone(t *testing.T) {
	t.Parallel()
	s, _ := openNew(t)
	errs := together(t, s, addTenant("a"), func(w store.Writer) error {
		_, err := w.(*tx).ExecContext(context.Background(), "ROLLBACK") // as SQLite does by itself if the disk is full
		require.NoError(t, err)
		return store.ErrNoSpace
	}, addTenant("c"))
	require.ErrorIs(t, errs[0], store.ErrNoSpace)
	require.ErrorIs(t, errs[1], store.ErrNoSpace)
	require.NoError(t, errs[2])
	require.Equal(t, []string{"c"}, tenants(t, s))
}

// BenchmarkWrite commits changes one at a time and four at a time.
func BenchmarkWrite(b *testing.B) {
	for _, writers := range []int{1, 4} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) {
			s := testrun.Must(Open(context.Background(), b.TempDir()+"/db"))(b)
			defer s.Close()
			require.NoError(b, s.Write(context.Background(), store.AllTenants, addTenant("a")))
			var next atomic.Int64
			var group sync.WaitGroup
			b.ResetTimer()
			for range writers {
				group.Go(func() {
					for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
						err := s.Write(context.Background(), store.AllTenants, func(tx store.Writer) error {
							_, err := tx.AddFile(1, store.File{Name: fmt.Sprint(i), Small: make([]byte, 10<<10)})
							return err
						})
						if err != nil {
							b.Error(err)
						}
					}
				})
			}
			group.Wait()
		})
	}
}

// TestDroppedContentGoesAfterItsChange checks that dropped content is removed only once the change
// is visible to all, and not if it failed.
func TestDroppedContentGoesAfterItsChange(t *testing.T) {
	t.Parallel()
	s, _ := openNew(t)
	var gone []string
	s.Dropped = func(key string) {
		require.NotEmpty(t, tenants(t, s))
		gone = append(gone, key)
	}
	failure := errors.New("no")
	drop := func(key string, err error) func(tx store.Writer) error {
		return func(tx store.Writer) error {
			require.NoError(t, tx.DropContent(key))
			require.NoError(t, tx.DropContent(""))
			require.Empty(t, gone)
			return err
		}
	}
	require.ErrorIs(t, s.Write(t.Context(), store.AllTenants, drop("kept", failure)), failure)
	require.Empty(t, gone)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		require.NoError(t, addTenant("a")(tx))
		return drop("gone", nil)(tx)
	}))
	require.Equal(t, []string{"gone"}, gone)
}
