package service_test

import (
	"bufio"
	"database/sql"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/generate"
)

// TestASlowClientHoldsNoSnapshot: an answer larger than what the connection
// holds is made to its end before it is read, so that the log of the database
// can be cleared, and changes neither wait for it nor show in it.
func TestASlowClientHoldsNoSnapshot(t *testing.T) {
	s := start(t)
	_, err := s.admin().Generate(generate.Spec{Papers: 40_000, Categories: 400, Depth: 3, Seed: 1}, "default")
	require.NoError(t, err)
	root := s.root()
	s.category(root, "before")
	resp := s.ask(t.Context(), root, "identity")
	defer resp.Body.Close()
	body := bufio.NewReader(resp.Body)
	_, err = body.Peek(1)
	require.NoError(t, err)
	s.category(root, "while-it-is-read")

	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.data, "service.db"))
	require.NoError(t, err)
	defer db.Close()
	require.Eventually(t, func() bool {
		var busy, left, done int
		require.NoError(t, db.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &left, &done))
		return busy == 0
	}, time.Minute, 10*time.Millisecond, "nothing reads the log")

	all, err := io.ReadAll(body)
	require.NoError(t, err)
	require.Greater(t, len(all), 5<<20)
	require.Contains(t, string(all), `url="/before/"`)
	require.NotContains(t, string(all), `url="/while-it-is-read/"`)
	require.True(t, strings.HasSuffix(string(all), "</string>\n"))
}
