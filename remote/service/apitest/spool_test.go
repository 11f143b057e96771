package apitest

import (
	"bufio"
	"database/sql"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestASlowClientHoldsNoSnapshot checks that an answer larger than the connection's buffers is
// complete before its client reads it, so that the database's log can be truncated, and that later
// changes neither wait for the client nor appear in the answer.
func TestASlowClientHoldsNoSnapshot(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.place().Embedded(t, "it reads the log of SQLite")
	db := s.place().Beside(t)
	require.NoError(t, db.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		tenant, err := tx.TenantByName("default")
		// Each & takes nine bytes in the answer.
		long := store.Node{Tenant: tenant.ID, Parent: tenant.Root, Kind: remote.PaperNode, Name: strings.Repeat("&", 255)}
		for i := 0; i < 2500 && err == nil; i++ {
			long.URLName = strconv.Itoa(i)
			_, err = tx.AddNode(long)
		}
		return err
	}))
	require.NoError(t, db.Close())
	root := s.root()
	s.category(root, "before")
	resp := s.ask(t.Context(), root, "identity")
	defer resp.Body.Close()
	body := bufio.NewReader(resp.Body)
	testrun.Must(body.Peek(1))(t)
	s.category(root, "while-it-is-read")

	log := testrun.Must(sql.Open("sqlite", "file:"+filepath.Join(s.data, "service.db")))(t)
	defer log.Close()
	require.Eventually(t, func() bool {
		var busy, left, done int
		require.NoError(t, log.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &left, &done))
		return busy == 0
	}, testrun.Patience(), 10*time.Millisecond, "nothing reads the log")

	all := testrun.Must(io.ReadAll(body))(t)
	require.Greater(t, len(all), 5<<20)
	require.Contains(t, string(all), `url="/before/"`)
	require.NotContains(t, string(all), `url="/while-it-is-read/"`)
	require.True(t, strings.HasSuffix(string(all), "</string>\n"))
}
