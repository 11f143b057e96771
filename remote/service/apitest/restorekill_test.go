package apitest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestARestoreThatIsKilledIsAllOrNothing kills the service at several moments of a Restore. What came back is there
// with its content, or nothing is; the next Restore brings back what is missing.
func TestARestoreThatIsKilledIsAllOrNothing(t *testing.T) {
	t.Parallel()
	many := 80
	if testrun.All() {
		many = 500
	}
	c := startChild(t, t.TempDir())
	dir := c.must(remote.CreateDirectory, "parentID", "0", "name", "d").element(t, "directoryid")
	var ids []string
	for i := range many {
		ids = append(ids, c.upload(dir, fmt.Sprintf("f%d", i), strings.Repeat("x", 1+i%3*40_000))) // small ones are records, large ones files
	}
	before := c.places()
	remove := func() {
		for _, id := range ids {
			c.must(remote.DeleteFile, "fileID", id)
		}
		c.must(remote.DeleteDirectory, "directoryID", dir)
	}
	all := []string{"path", "/media", "since", "2001-01-01"}
	remove()
	began := time.Now()
	require.Len(t, c.must(remote.Restore, all...).entries(t, "restored"), many+1)
	whole := time.Since(began)
	t.Logf("%d files and their directory came back in %v", many, whole)
	for i := range 4 {
		remove()
		var call sync.WaitGroup
		call.Go(func() { c.try(remote.Restore, all...) })
		time.Sleep(whole * time.Duration(2*i+1) / 8)
		c.kill()
		call.Wait()
		c = startChild(t, c.data)
		if places := c.places(); len(places) > 0 {
			require.Equal(t, before, places)
		}
		c.sound()
		c.must(remote.Restore, all...)
		require.Equal(t, before, c.places())
		require.Len(t, c.content("POST", ids[2], "").body, 80_001)
	}
	c.sound()
}
