package cli

import (
	"net"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOpenJournal checks that each line becomes a journal entry.
func TestOpenJournal(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "stdout")
	l, err := net.Listen("unix", socket)
	require.NoError(t, err)
	defer l.Close()
	f, err := OpenJournal(socket)
	require.NoError(t, err)
	_, err = f.WriteString("an entry\n")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	c, err := l.Accept()
	require.NoError(t, err)
	defer c.Close()
	heard := make([]byte, 1000)
	var all string
	for {
		n, err := c.Read(heard)
		if all += string(heard[:n]); err != nil {
			break
		}
	}
	require.Equal(t, "paperfs\n\n6\n1\n0\n0\n0\nan entry\n", all)
	_, err = OpenJournal(socket + "none")
	require.ErrorContains(t, err, "there is no journal at")
}
