package host

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// pair is a connection to this process: the accepted end, and the other one.
func pair(t *testing.T, network, address string) (accepted, dialled net.Conn) {
	l, err := net.Listen(network, address)
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	dialled = testrun.Must(net.Dial(network, l.Addr().String()))(t)
	accepted = testrun.Must(l.Accept())(t)
	t.Cleanup(func() { dialled.Close(); accepted.Close() })
	return accepted, dialled
}

func TestPeerUID(t *testing.T) {
	t.Parallel()
	own := uint32(os.Getuid())
	for network, address := range map[string]string{"tcp4": "127.0.0.1:0", "tcp6": "[::1]:0"} {
		accepted, dialled := pair(t, network, address)
		uid := testrun.Must(peerUID(accepted))(t)
		require.Equal(t, own, uid)
		theirs, ours := netip.MustParseAddrPort(dialled.LocalAddr().String()), netip.MustParseAddrPort(accepted.LocalAddr().String())
		uid = testrun.Must(readTable(theirs, ours))(t)
		require.Equal(t, own, uid)

		// The kernel then wrongly shows a closed socket as root's.
		require.NoError(t, dialled.Close())
		testrun.Must(io.ReadAll(accepted))(t)
		_, err := peerUID(accepted)
		require.ErrorIs(t, err, errNoPeer)
		_, err = readTable(theirs, ours)
		require.ErrorIs(t, err, errNoPeer)
	}
}

// connector is a script with which the tests connect as another user. If it is refused, the
// connection may already be closed at each step.
const connector = `trap '' PIPE; exec 3<>"/dev/tcp/127.0.0.1/$0" && printf 'GET / HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3 && read -r line <&3 && echo "$line"; exit 0`

// TestTheEmbeddedServiceBelongsToItsUser checks that another user of this machine gets no answer at
// all, unless the service is for all users.
func TestTheEmbeddedServiceBelongsToItsUser(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can run as two users")
	}
	bash := testrun.Program(t, "bash")
	as := func(e *Embedded, uid uint32) string {
		_, port := testrun.Must2(net.SplitHostPort(strings.TrimPrefix(e.URL, "http://")))(t)
		cmd := exec.Command(bash, "-c", connector, port)
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	const user, other = 54321, 54322
	for _, c := range []struct {
		users []uint32
		uid   uint32
		open  bool
	}{
		{[]uint32{0, user}, user, true}, {[]uint32{0, user}, 0, true}, {[]uint32{0, user}, other, false}, {nil, other, true},
	} {
		e := testrun.Must(StartEmbedded(t.TempDir(), quiet, c.users))(t)
		require.Equal(t, c.open, strings.Contains(as(e, c.uid), "HTTP/1.0"), fmt.Sprint(c))
		require.NoError(t, e.Close())
	}
}
