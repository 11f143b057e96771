package cli

import (
	"net"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestOpenJournal checks that each line becomes a journal entry.
func TestOpenJournal(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "stdout")
	l := testrun.Must(net.Listen("unix", socket))(t)
	defer l.Close()
	f := testrun.Must(OpenJournal(socket))(t)
	testrun.Must(f.WriteString("an entry\n"))(t)
	require.NoError(t, f.Close())
	c := testrun.Must(l.Accept())(t)
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
	_, err := OpenJournal(socket + "none")
	require.ErrorContains(t, err, "there is no journal at")
}
