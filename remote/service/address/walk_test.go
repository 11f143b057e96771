package address_test

import (
	"context"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// heap returns the number of bytes in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestADeepTreeIsNotHeldAsAddresses checks the memory of a walk, because an address is as long
// as its node is deep: all addresses of a deep tree would take memory with the square of its
// depth.
func TestADeepTreeIsNotHeldAsAddresses(t *testing.T) {
	const depth = 1000
	dir := t.TempDir()
	db := testrun.Must(sqlitestore.Open(t.Context(), filepath.Join(dir, datadir.DatabaseFile)))(t)
	defer db.Close()
	require.NoError(t, datadir.FirstStart(t.Context(), db, dir))
	segment := strings.Repeat("d", 128)
	var last string
	var ids []int64
	caller := testrun.Must(db.Caller(t.Context(), "", "APIKey"))(t)
	tenant := caller.Tenant
	require.NoError(t, db.Write(context.Background(), tenant.ID, func(tx store.Writer) error {
		last = "/"
		for parent := tenant.Root; len(ids) < depth; last += segment + "/" {
			var err error
			if parent, err = tx.AddNode(store.Node{Tenant: tenant.ID, Parent: parent, Kind: remote.CategoryNode, Name: strconv.Itoa(len(ids)), URLName: segment}); err != nil {
				return err
			}
			ids = append(ids, parent)
		}
		return nil
	}))

	all := len(last) * depth / 2
	most := int64(all / 8)
	require.NoError(t, db.Read(context.Background(), func(tx store.Reader) error {
		root := testrun.Must(tx.Node(tenant.ID, tenant.Root))(t)
		before := heap()
		held := func(visited *int) func([]address.Place) error {
			return func(nodes []address.Place) error {
				if len(nodes) != depth+1 {
					return nil
				}
				*visited++
				require.Equal(t, last, nodes[depth].URL())
				require.Less(t, heap()-before, most, "bytes; the addresses have %d", all)
				return nil
			}
		}
		walked, visited := 0, 0
		require.NoError(t, address.Walk(tx, tenant, root, held(&walked)))
		require.NoError(t, address.InOrder(tx, tenant, root, ids, held(&visited)))
		require.Equal(t, []int{1, 1}, []int{walked, visited})
		found := testrun.Must(address.FindPlaces(tx, tenant, root, func(int64) bool { return true }))(t)
		require.Less(t, heap()-before, most, "bytes; the addresses have %d", all)
		require.Len(t, found, depth+1)
		require.Equal(t, "/", found[0].URL())
		return nil
	}))
}
