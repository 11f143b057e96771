package postgresstore_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// cutter is a proxy in front of PostgreSQL that cuts a connection at its commit.
type cutter struct {
	server string      // path of PostgreSQL's socket
	answer atomic.Bool // cut after the commit was answered, without passing on the answer
	before atomic.Bool // cut before the commit is sent
	closed atomic.Bool // from the next cut on, refuse all traffic, even on existing connections
	shut   atomic.Bool
	crash  func() // called at the cut, with before
}

// commits occurs in the message that executes the commit, as the statement name that the driver
// uses. It does not occur in the message that prepares it: in the executing one, the empty portal
// name precedes it.
var commits = func() []byte {
	sum := sha256.Sum256([]byte("commit"))
	return []byte("\x00stmtcache_" + hex.EncodeToString(sum[:24]) + "\x00")
}()

func cut(t *testing.T, database string) (_ *cutter, through string) {
	u := testrun.Must(url.Parse(database))(t)
	const socket = ".s.PGSQL.5432"
	c := &cutter{server: filepath.Join(u.Query().Get("host"), socket)}
	dir := testrun.Must(os.MkdirTemp("", "cut"))(t)
	t.Cleanup(func() { os.RemoveAll(dir) })
	l := testrun.Must(net.Listen("unix", filepath.Join(dir, socket)))(t)
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
	if c.shut.Load() {
		return
	}
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
		if err != nil || c.shut.Load() {
			return
		}
		if bytes.Contains(b[:n], commits) {
			if c.before.CompareAndSwap(true, false) {
				if c.crash != nil {
					c.crash()
				}
				c.shut.Store(c.closed.Load())
				return
			}
			if c.answer.CompareAndSwap(true, false) {
				c.shut.Store(c.closed.Load())
				deaf.Store(true)
			}
		}
		if _, err := server.Write(b[:n]); err != nil {
			return
		}
	}
}

// TestTheOutcomeOfACommitIsLookedUp checks that a committed change is reported as such, and any
// other as a failure.
func TestTheOutcomeOfACommitIsLookedUp(t *testing.T) {
	t.Parallel()
	database := enginetest.Database(t)
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
	require.False(t, c.answer.Load(), "the connection must have been cut")
	require.Equal(t, "two", value())
	c.before.Store(true)
	require.ErrorContains(t, set("three"), "the change was not committed")
	require.Equal(t, "two", value())
	require.NoError(t, set("four"))
}

// TestAStandbyThatTookOver checks that a standby does not claim to have kept a change that it never
// received.
func TestAStandbyThatTookOver(t *testing.T) {
	t.Parallel()
	s := open(t, enginetest.Database(t))
	require.False(t, testrun.Must(s.Kept(t.Context(), "4000000000"))(t))
}
