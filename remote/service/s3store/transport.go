package s3store

import (
	"context"
	"net"
	"net/http"
	"time"
)

// standstill is how long a connection may carry nothing in either direction. Assembling an object
// from many parts takes less, too.
const standstill = time.Minute

func newTransport(still time.Duration) *http.Transport {
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &movingConn{c, still}, nil
		},
		MaxIdleConns:          256,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       still,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: still,
		WriteBufferSize:       64 << 10,
		ReadBufferSize:        64 << 10,
		DisableCompression:    true, // content is sent unchanged
	}
}

// movingConn fails if no data moves for a while. A write also extends the read deadline: the
// answer comes after a long request.
type movingConn struct {
	net.Conn
	still time.Duration
}

func (c *movingConn) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.still)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

func (c *movingConn) Write(p []byte) (int, error) {
	if err := c.SetDeadline(time.Now().Add(c.still)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
