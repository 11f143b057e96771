package servicetest

import (
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestAPortIsHeldOnceOthersLetGo checks that bindSoon waits for a port on which a process that
// was forked during Down still listens.
func TestAPortIsHeldOnceOthersLetGo(t *testing.T) {
	l := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	tried := make(chan error, 1)
	_, err := bind(l.Addr().String())
	require.ErrorIs(t, err, syscall.EADDRINUSE)
	go func() {
		port, err := bindSoon(l.Addr().String())
		if err == nil {
			port.Close()
		}
		tried <- err
	}()
	require.NoError(t, l.Close())
	require.NoError(t, <-tried)
}
