package servicetest

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"syscall"
	"testing"
	"time"
)

// Refusing returns a local address at which nothing listens until the test ends.
func Refusing(t testing.TB) string {
	t.Helper()
	port, err := bind("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { port.Close() })
	name, err := syscall.Getsockname(int(port.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port)
}

// bind reserves an address without listening: connections to it are refused.
func bind(address string) (*os.File, error) {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, err
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	port := os.NewFile(uintptr(fd), address)
	// Recently broken connections must not prevent the bind.
	err = syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
	if err == nil {
		err = syscall.Bind(fd, &syscall.SockaddrInet4{Port: int(a.Port()), Addr: a.Addr().As4()})
	}
	if err != nil {
		port.Close()
		return nil, fmt.Errorf("bind %s: %w", address, err)
	}
	return port, nil
}

// bindSoon is bind that waits until the port is free. A program that another test starts holds
// this process's listeners between its fork and its exec.
func bindSoon(address string) (port *os.File, err error) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if port, err = bind(address); !errors.Is(err, syscall.EADDRINUSE) {
			return port, err
		}
	}
	return nil, err
}

// listenOn starts to listen on a port that bind reserved, and takes it over.
func listenOn(port *os.File) (net.Listener, error) {
	defer port.Close()
	if err := syscall.Listen(int(port.Fd()), syscall.SOMAXCONN); err != nil {
		return nil, err
	}
	return net.FileListener(port)
}
