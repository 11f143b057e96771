package postgresstore_test

import (
	"bytes"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/postgrestest"
	"paperfs/remote/service/store"
)

// cutter stands before PostgreSQL and cuts a connection at its commit.
type cutter struct {
	server string      // path of its socket
	answer atomic.Bool // cut after the commit was answered, which nobody hears
	before atomic.Bool // cut before it is sent
}

func cut(t *testing.T, database string) (_ *cutter, through string) {
	u, err := url.Parse(database)
	require.NoError(t, err)
	const socket = ".s.PGSQL.5432"
	c := &cutter{server: filepath.Join(u.Query().Get("host"), socket)}
	dir, err := os.MkdirTemp("", "cut")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, socket))
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go c.serve(client)
		}
	}()
	u.RawQuery = url.Values{"host": {dir}}.Encode()
	return c, u.String()
}

func (c *cutter) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("unix", c.server)
	if err != nil {
		return
	}
	defer server.Close()
	var deaf atomic.Bool
	go func() {
		defer client.Close()
		b := make([]byte, 64<<10)
		for {
			n, err := server.Read(b)
			if err != nil || deaf.Load() {
				return
			}
			if _, err := client.Write(b[:n]); err != nil {
				return
			}
		}
	}()
	b := make([]byte, 64<<10)
	for {
		n, err := client.Read(b)
		if err != nil {
			return
		}
		if bytes.Contains(b[:n], []byte("commit\x00")) {
			if c.before.CompareAndSwap(true, false) {
				return
			}
			if c.answer.CompareAndSwap(true, false) {
				deaf.Store(true)
			}
		}
		if _, err := server.Write(b[:n]); err != nil {
			return
		}
	}
}

// TestTheOutcomeOfACommitIsLookedUp: what is on the disk is answered as such, and
// what is not is a failure.
func TestTheOutcomeOfACommitIsLookedUp(t *testing.T) {
	database := postgrestest.Database(t)
	c, through := cut(t, database)
	s := open(t, through)
	k := addTenant(t, s, "a")
	set := func(value string) error {
		return s.Write(t.Context(), k.ID, func(tx store.Writer) error { return tx.SetSetting(k.Root, "a", value) })
	}
	value := func() (value string) {
		require.NoError(t, s.Read(t.Context(), func(tx store.Reader) (err error) {
			value, _, err = tx.InheritedSetting(k.Root, "a")
			return err
		}))
		return value
	}
	require.NoError(t, set("one"))
	c.answer.Store(true)
	require.NoError(t, set("two"))
	require.False(t, c.answer.Load(), "it was cut")
	require.Equal(t, "two", value())
	c.before.Store(true)
	require.ErrorContains(t, set("three"), "the change is not kept")
	require.Equal(t, "two", value())
	require.NoError(t, set("four"))
}
