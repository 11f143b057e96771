package host

import (
	"log/slog"
	"net"
	"slices"
)

// forUsers accepts only connections from sockets of some users of this machine. It rejects a
// connection whose user it cannot find out.
type forUsers struct {
	net.Listener
	users []uint32
	log   *slog.Logger
}

// Accept implements net.Listener.
func (l *forUsers) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		uid, err := peerUID(c)
		if err == nil && slices.Contains(l.users, uid) {
			return c, nil
		}
		c.Close()
		if err != nil {
			l.log.Debug("connection refused", "from", c.RemoteAddr(), "error", err)
		} else {
			l.log.Warn("connection of another user refused", "from", c.RemoteAddr(), "uid", uid)
		}
	}
}
