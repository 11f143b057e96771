package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// valuesComeInTheOrderOfPapers checks that values come in the order of the papers, so that a
// caller can write papers with their values without buffering.
func valuesComeInTheOrderOfPapers(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	var fields, papers []int64
	require.NoError(t, s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		tenant, err := tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"})
		require.NoError(t, err)
		a, err := tx.TenantByName("a")
		require.NoError(t, err)
		for i := range 3 {
			id, err := tx.AddField(tenant, store.Field{Name: fmt.Sprint("f", i), Type: "string"})
			require.NoError(t, err)
			fields = append(fields, id)
		}
		for i := range 40 {
			name := fmt.Sprint("p", i)
			id, err := tx.AddNode(store.Node{Tenant: tenant, Parent: a.Root, Kind: remote.PaperNode, Name: name, URLName: name})
			require.NoError(t, err)
			papers = append(papers, id)
			if i%4 == 0 { // has no values
				continue
			}
			for _, field := range fields {
				require.NoError(t, tx.SetFieldValue(store.FieldValue{Paper: id, Field: field, Value: name}))
			}
		}
		return nil
	}))
	rand.Shuffle(len(papers), func(i, j int) { papers[i], papers[j] = papers[j], papers[i] })
	require.NoError(t, s.Read(ctx, func(tx store.Reader) error {
		place, seen, last := map[int64]int{}, map[store.FieldValue]bool{}, 0
		for i, paper := range papers {
			place[paper] = i
		}
		err := tx.FieldValuesOf(papers, fields[:2], func(v store.FieldValue) error {
			require.GreaterOrEqual(t, place[v.Paper], last)
			require.NotEqual(t, fields[2], v.Field)
			last = place[v.Paper]
			seen[v] = true
			return nil
		})
		require.Len(t, seen, 2*30)
		return err
	}))
}
