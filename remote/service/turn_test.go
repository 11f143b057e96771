package service

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// TestTenantsTakeTurns: who queues many PDFs keeps nobody else waiting for more
// than those that are under way.
func TestTenantsTakeTurns(t *testing.T) {
	var all []store.Work
	add := func(tenant int64, count int) {
		for range count {
			w := store.Work{}
			w.Tenant, w.GUID = tenant, fmt.Sprintf("%d-%d", tenant, len(all))
			all = append(all, w)
		}
	}
	add(1, 5)
	add(2, 2)
	add(3, 1)
	running := map[string]bool{}
	var turns turns
	begin := func() (order []string) {
		w, found := turns.next(all, func(guid string) bool { return running[guid] })
		if !found {
			return nil
		}
		running[w.GUID] = true
		return []string{w.GUID}
	}
	var order []string
	for {
		began := begin()
		if began == nil {
			break
		}
		order = append(order, began...)
		for guid := range running { // one at a time
			delete(running, guid)
			for i, w := range all {
				if w.GUID == guid {
					all = append(all[:i:i], all[i+1:]...)
					break
				}
			}
		}
	}
	require.Equal(t, []string{"1-0", "2-5", "3-7", "1-1", "2-6", "1-2", "1-3", "1-4"}, order)

	// While two of one tenant are under way, another's goes before its third.
	all = nil
	add(1, 3)
	turns.last = nil
	first, second := begin(), begin()
	require.Equal(t, []string{"1-0", "1-1"}, append(first, second...))
	add(2, 1)
	require.Equal(t, []string{"2-3"}, begin())
}
