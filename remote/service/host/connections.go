package host

import (
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
)

// Bounded returns a listener that accepts at most that many connections at a time from one
// address and closes further ones; 0 for no limit. For IPv6, a /64 network counts as one address.
// Connections from proxies, which serve many clients, do not count.
func Bounded(l net.Listener, most int, proxies ...netip.Prefix) net.Listener {
	if most == 0 {
		return l
	}
	return &bounded{Listener: l, most: most, proxies: proxies, open: map[string]int{}}
}

type bounded struct {
	net.Listener
	most    int
	proxies []netip.Prefix

	mu   sync.Mutex
	open map[string]int // connections by address
}

// Accept implements net.Listener.
func (b *bounded) Accept() (net.Conn, error) {
	for {
		c, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if b.isProxy(c.RemoteAddr()) {
			return c, nil
		}
		if address := network(c.RemoteAddr()); b.take(address) {
			return &counted{Conn: c, end: sync.OnceFunc(func() { b.give(address) })}, nil
		}
		c.Close()
	}
}

func (b *bounded) isProxy(a net.Addr) bool {
	at, err := netip.ParseAddrPort(a.String())
	return err == nil && slices.ContainsFunc(b.proxies, func(p netip.Prefix) bool { return p.Contains(at.Addr().Unmap().WithZone("")) })
}

func (b *bounded) take(address string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open[address] >= b.most {
		return false
	}
	b.open[address]++
	return true
}

func (b *bounded) give(address string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open[address]--; b.open[address] == 0 {
		delete(b.open, address)
	}
}

// counted is a connection that counts until it is closed.
type counted struct {
	net.Conn
	end func()
}

func (c *counted) Close() error {
	c.end()
	return c.Conn.Close()
}

// ReadFrom lets the HTTP server send files without copies of their bytes.
func (c *counted) ReadFrom(r io.Reader) (int64, error) { return io.Copy(c.Conn, r) }

// CloseWrite lets the HTTP server shut down its half of the connection.
func (c *counted) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

func network(a net.Addr) string {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return a.String()
	}
	address := at.Addr().Unmap().WithZone("")
	if address.Is4() {
		return address.String()
	}
	prefix, _ := address.Prefix(64) // a valid length
	return prefix.String()
}
