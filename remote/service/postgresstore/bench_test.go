package postgresstore_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// BenchmarkWrite commits one change at a time, like that of sqlitestore, in one tenant and in
// eight. The test cluster runs without fsync.
func BenchmarkWrite(b *testing.B) {
	for _, c := range []struct{ writers, tenants int }{{1, 1}, {8, 1}, {8, 8}} {
		b.Run(fmt.Sprintf("%d writers, %d tenants", c.writers, c.tenants), func(b *testing.B) {
			s := testrun.Must(postgresstore.Open(b.Context(), enginetest.Database(b)))(b)
			b.Cleanup(func() { s.Close() })
			var ids []int64
			require.NoError(b, s.Write(b.Context(), store.AllTenants, func(tx store.Writer) error {
				for i := range c.tenants {
					id := testrun.Must(tx.AddTenant(store.Tenant{Name: fmt.Sprint(i), RootURL: "/"}))(b)
					ids = append(ids, id)
				}
				return nil
			}))
			var next atomic.Int64
			var group sync.WaitGroup
			b.ResetTimer()
			for range c.writers {
				group.Go(func() {
					for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
						tenant := ids[int(i)%len(ids)]
						err := s.Write(b.Context(), tenant, func(tx store.Writer) error {
							_, err := tx.AddFile(tenant, store.File{Name: fmt.Sprint(i), Small: make([]byte, 10<<10)})
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
