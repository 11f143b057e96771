package host

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// URL returns the address at which a client on this machine reaches a service that listens at
// addr after a request for requested ("HOST:PORT"). If requested names no specific host, URL uses
// the loopback address or, with TLS, whose certificate would not match that, the name of this
// machine.
func URL(requested string, addr net.Addr, tls bool, basePath string) string {
	host, _, _ := net.SplitHostPort(requested)
	_, port, _ := net.SplitHostPort(addr.String())
	ip := net.ParseIP(host)
	if host == "" || ip != nil && ip.IsUnspecified() {
		name, err := os.Hostname()
		switch {
		case tls && err == nil:
			host = name
		case ip != nil && ip.To4() == nil:
			host = "::1"
		default:
			host = "127.0.0.1"
		}
	}
	scheme := "http"
	if tls {
		scheme = "https"
	}
	path := strings.Trim(basePath, "/")
	if path != "" {
		path = "/" + path
	}
	return scheme + "://" + net.JoinHostPort(host, port) + path
}

// listenLoopback listens on the port in the file port of a data directory, so that links to the
// service stay valid. If there is no such port or it is in use, it chooses another and saves it.
func listenLoopback(data string) (net.Listener, error) {
	file := filepath.Join(data, "port")
	content, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if port, err := strconv.ParseUint(strings.TrimSpace(string(content)), 10, 16); err == nil && port > 0 {
		l, err := Listen(fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil || !errors.Is(err, syscall.EADDRINUSE) && !errors.Is(err, syscall.EACCES) {
			return l, err
		}
	}
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	if err := keepPort(file, l.Addr().(*net.TCPAddr).Port); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

func keepPort(file string, port int) error {
	draft := file + ".new"
	if err := os.WriteFile(draft, []byte(strconv.Itoa(port)+"\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(draft, file)
}
