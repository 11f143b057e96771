package service

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// TestADeepTreeIsNotHeldAsAddresses: the addresses of a way down are as long as its
// depth, and all of them as the square of it.
func TestADeepTreeIsNotHeldAsAddresses(t *testing.T) {
	const depth = 1000
	s, err := Open(Options{Data: filepath.Join(t.TempDir(), "data")})
	require.NoError(t, err)
	defer s.Close()
	c := &call{service: s, request: httptest.NewRequest(http.MethodPost, "/", nil)}
	segment := strings.Repeat("d", 128)
	var last string
	var ids []int64
	caller, err := s.store.Caller(context.Background(), "", "APIKey")
	require.NoError(t, err)
	c.tenant = caller.Tenant
	require.NoError(t, s.store.Write(context.Background(), c.tenant.ID, func(tx store.Writer) error {
		last = "/"
		for parent := c.tenant.Root; len(ids) < depth; last += segment + "/" {
			var err error
			if parent, err = tx.AddNode(store.Node{Tenant: c.tenant.ID, Parent: parent, Kind: remote.CategoryNode, Name: strconv.Itoa(len(ids)), URLName: segment}); err != nil {
				return err
			}
			ids = append(ids, parent)
		}
		return nil
	}))

	all := len(last) * depth / 2
	most := int64(all / 8)
	require.NoError(t, s.store.Read(context.Background(), func(tx store.Reader) error {
		root, err := tx.Node(c.tenant.ID, c.tenant.Root)
		require.NoError(t, err)
		before := heap()
		held := func(visited *int) func([]located) error {
			return func(path []located) error {
				if len(path) != depth+1 {
					return nil
				}
				*visited++
				require.Equal(t, last, path[depth].way.url())
				require.Less(t, heap()-before, most, "bytes; the addresses have %d", all)
				return nil
			}
		}
		walked, visited := 0, 0
		require.NoError(t, c.walk(tx, root, held(&walked)))
		require.NoError(t, c.visitInOrder(tx, root, ids, held(&visited)))
		require.Equal(t, []int{1, 1}, []int{walked, visited})
		found, err := c.locate(tx, root, func(int64) bool { return true })
		require.NoError(t, err)
		require.Less(t, heap()-before, most, "bytes; the addresses have %d", all)
		require.Len(t, found, depth+1)
		require.Equal(t, "/", found[0].way.url())
		return nil
	}))
}
