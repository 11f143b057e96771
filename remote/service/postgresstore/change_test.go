package postgresstore_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// nodes opens a database as often as several processes would.
func nodes(t *testing.T, count int) (all []*postgresstore.Store, url string) {
	url = enginetest.Database(t)
	for range count {
		all = append(all, open(t, url))
	}
	return all, url
}

func addTenant(t *testing.T, s store.Store, name string) (tenant store.Tenant) {
	require.NoError(t, s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		id, err := tx.AddTenant(store.Tenant{Name: name, RootURL: "/"})
		require.NoError(t, err)
		tenant, err = tx.Tenant(id)
		return err
	}))
	return tenant
}

// TestChangesOfATenantAreOrdered checks that what a change has read stays true until it ends,
// whichever process makes other changes.
func TestChangesOfATenantAreOrdered(t *testing.T) {
	t.Parallel()
	all, _ := nodes(t, 3)
	k := addTenant(t, all[0], "a")
	const rounds = 20
	var group sync.WaitGroup
	for _, s := range all {
		for range 3 {
			group.Go(func() {
				for range rounds {
					err := s.Write(t.Context(), k.ID, func(tx store.Writer) error {
						value, _, err := tx.InheritedSetting(k.Root, "count")
						if err != nil {
							return err
						}
						return tx.SetSetting(k.Root, "count", value+"+")
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	group.Wait()
	require.NoError(t, all[0].Read(t.Context(), func(tx store.Reader) error {
		value, _, err := tx.InheritedSetting(k.Root, "count")
		require.Len(t, value, 9*rounds, "no change is lost")
		return err
	}))
}

// TestAChangeOfAllRunsAlone checks that a change of all tenants runs alone, and that changes of
// different tenants run concurrently.
func TestAChangeOfAllRunsAlone(t *testing.T) {
	t.Parallel()
	all, _ := nodes(t, 2)
	a, b := addTenant(t, all[0], "a"), addTenant(t, all[0], "b")
	within := func(limit time.Duration, of int64) error {
		ctx, stop := context.WithTimeout(t.Context(), limit)
		defer stop()
		return all[1].Write(ctx, of, func(store.Writer) error { return nil })
	}
	const moment = 300 * time.Millisecond
	patience := testrun.Patience()
	require.NoError(t, all[0].Write(t.Context(), a.ID, func(store.Writer) error {
		require.NoError(t, within(patience, b.ID))
		require.Error(t, within(moment, a.ID))
		require.Error(t, within(moment, store.AllTenants))
		return nil
	}))
	require.NoError(t, all[0].Write(t.Context(), store.AllTenants, func(store.Writer) error {
		require.Error(t, within(moment, a.ID))
		_, err := all[1].Claim(t.Context(), "me", time.Hour)
		require.ErrorIs(t, err, store.ErrNotFound)
		return nil
	}))
	require.NoError(t, within(patience, a.ID))
	require.NoError(t, within(patience, store.AllTenants))
}

// TestManyChangesThatRead checks changes that each hold a connection and wait for another.
func TestManyChangesThatRead(t *testing.T) {
	t.Parallel()
	all, _ := nodes(t, 1)
	s := all[0]
	var group sync.WaitGroup
	for i := range 12 {
		k := addTenant(t, s, fmt.Sprint("tenant ", i))
		for range 4 {
			group.Go(func() {
				err := s.Write(t.Context(), k.ID, func(store.Writer) error {
					return s.Read(t.Context(), func(tx store.Reader) error { _, err := tx.Tenant(k.ID); return err })
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
}

// TestACallerThatGivesUpLeavesNoTransaction checks that a caller that gives up leaves no open transaction and no
// lock.
func TestACallerThatGivesUpLeavesNoTransaction(t *testing.T) {
	t.Parallel()
	all, url := nodes(t, 2)
	k := addTenant(t, all[0], "a")
	ctx, stop := context.WithCancel(t.Context())
	require.NoError(t, all[0].Write(t.Context(), k.ID, func(store.Writer) error {
		time.AfterFunc(50*time.Millisecond, stop)
		err := all[1].Write(ctx, k.ID, func(store.Writer) error { return nil })
		require.ErrorIs(t, err, context.Canceled)
		return nil
	}))
	ctx, stop = context.WithCancel(t.Context())
	require.ErrorIs(t, all[0].Read(ctx, func(tx store.Reader) error {
		testrun.Must(tx.Tenants())(t)
		stop()
		_, err := tx.Tenants()
		return err
	}), context.Canceled)
	ctx, stop = context.WithCancel(t.Context())
	require.NoError(t, all[0].Write(ctx, k.ID, func(tx store.Writer) error {
		stop() // too late: it already has its turn
		return tx.SetSetting(k.Root, "a", "b")
	}))
	require.Panics(t, func() {
		_ = all[0].Write(t.Context(), k.ID, func(tx store.Writer) error { panic("no") })
	})
	require.NoError(t, all[1].Write(t.Context(), k.ID, func(store.Writer) error { return nil }))
	c := testrun.Must(pgx.Connect(t.Context(), url))(t)
	defer c.Close(t.Context())
	require.Eventually(t, func() bool {
		var left int
		require.NoError(t, c.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`).Scan(&left))
		return left == 0
	}, testrun.Patience(), 10*time.Millisecond)
}

// TestARaisedVersion checks that a change updates a version once, and sees the update itself.
func TestARaisedVersion(t *testing.T) {
	t.Parallel()
	all, _ := nodes(t, 1)
	s := all[0]
	k := addTenant(t, s, "a")
	var versions []int64
	see := func(tx store.Reader) {
		v := testrun.Must(tx.TreeVersion(k.ID))(t)
		require.NotContains(t, versions, v)
		versions = append(versions, v)
	}
	require.NoError(t, s.Write(t.Context(), k.ID, func(tx store.Writer) error {
		see(tx)
		for i := range 3 {
			testrun.Must(tx.AddNode(store.Node{Tenant: k.ID, Parent: k.Root, Kind: remote.PaperNode, Name: "n", URLName: fmt.Sprint(i)}))(t)
			see(tx)
		}
		used, err := tx.Usage(k.ID, time.Now())
		require.EqualValues(t, 3, used.Papers)
		require.NoError(t, err)
		_, err = tx.AddNode(store.Node{Tenant: k.ID, Parent: k.Root, Kind: remote.PaperNode, Name: "n", URLName: "last"})
		return err
	}))
	require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
		see(tx)
		faults, err := tx.Faults()
		require.Empty(t, faults)
		return err
	}))
}

// TestAChangeIsOfOneTenant checks that a change cannot write for another tenant, whose lock it does
// not have.
func TestAChangeIsOfOneTenant(t *testing.T) {
	t.Parallel()
	all, _ := nodes(t, 1)
	s := all[0]
	a, b := addTenant(t, s, "a"), addTenant(t, s, "b")
	for name, change := range map[string]func(tx store.Writer) error{
		"a node":      func(tx store.Writer) error { _, err := tx.SetNode(store.Node{ID: b.Root}); return err },
		"a directory": func(tx store.Writer) error { _, err := tx.AddDir(b.ID, store.Dir{Name: "d"}); return err },
		"all":         func(tx store.Writer) error { return tx.SetReadOnly(true) },
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorContains(t, s.Write(t.Context(), a.ID, func(tx store.Writer) error {
				_ = change(tx) // Write fails whatever its function returns
				return nil
			}), "a change of tenant")
		})
	}
}

// TestContentThatARecordNamesStays checks that content stays if a record names it, even if a caller
// that does not know the outcome of its change asks to drop it.
func TestContentThatARecordNamesStays(t *testing.T) {
	t.Parallel()
	all, _ := nodes(t, 1)
	s := all[0]
	k := addTenant(t, s, "a")
	require.NoError(t, s.Intend(t.Context(), "key"))
	var id int64
	require.NoError(t, s.Write(t.Context(), k.ID, func(tx store.Writer) (err error) {
		require.NoError(t, tx.KeepContent("key"))
		id, err = tx.AddFile(k.ID, store.File{Name: "f", Content: "key", Size: 3})
		return err
	}))
	drop := func(tx store.Writer) error { return tx.DropContent("key") }
	require.NoError(t, s.Write(t.Context(), k.ID, drop))
	left := testrun.Must(s.Leftovers(t.Context(), 0, 0, store.Leftover{}, 10))(t)
	require.Empty(t, left)
	require.NoError(t, s.Write(t.Context(), k.ID, func(tx store.Writer) error {
		return errors.Join(drop(tx), tx.DeleteFile(id, 0, store.By{At: time.Now(), Nothing: true})) // in any order
	}))
	left = testrun.Must(s.Leftovers(t.Context(), 0, 0, store.Leftover{}, 10))(t)
	require.Len(t, left, 1)
	require.Equal(t, "key", left[0].Key)
	require.False(t, left[0].Uncommitted)
}
