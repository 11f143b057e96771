package host

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
)

// ListenOperator listens at a loopback address, HOST:PORT, or at a Unix socket, whose path
// contains a slash. It rejects addresses that other machines could reach.
func ListenOperator(address string) (net.Listener, error) {
	if strings.Contains(address, "/") {
		return listenSocket(address)
	}
	name, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(name); name != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, errors.New("give a loopback address such as 127.0.0.1:9090, or the path of a socket: it is served without credentials")
	}
	return net.Listen("tcp", address)
}

// listenSocket replaces a socket at which no process listens any more.
func listenSocket(path string) (net.Listener, error) {
	if c, err := net.Dial("unix", path); err == nil {
		c.Close()
		return nil, fmt.Errorf("another process listens at %s", path)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// ServeOperator answers in the background until stop is called.
func ServeOperator(l net.Listener, h http.Handler) (stop func() error) {
	server := &http.Server{Handler: ownNames(l.Addr(), h), ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout}
	go server.Serve(l) //nolint:errcheck // ends with stop
	return server.Close
}
