package host

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"paperfs/remote/service"
)

// Limits of connections. None bounds a whole request or answer: an upload may
// take as long as bytes move.
const (
	headerTimeout = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	// writeTimeout ends a connection of HTTP/2 that takes nothing: its requests
	// cannot be ended one by one, because that has to be written.
	writeTimeout = 2 * time.Minute
	// streamLimit is how many requests a connection of HTTP/2 may have under way.
	streamLimit = 20
)

// Serve answers requests until ctx ends, then closes the listener, finishes
// what is under way and returns nil. When hurry ends as well, it breaks off
// what is left. Connections between two requests are closed at once, and those
// that have asked nothing yet within some seconds.
func Serve(ctx, hurry context.Context, l net.Listener, h http.Handler, certificate *Certificate, log *slog.Logger) error {
	server := &http.Server{
		Handler:           h,
		TLSConfig:         certificate.config(),
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: streamLimit, WriteByteTimeout: writeTimeout},
		MaxHeaderBytes:    2 * service.MaxAddress,
		// OPTIONS * is counted as every request is, by the handler.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	var ending atomic.Bool // Shutdown has begun, or is about to
	server.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateIdle && ending.Load() {
			endLate(server)
		}
	}
	ended := make(chan error, 1)
	go func() {
		if certificate != nil {
			ended <- server.ServeTLS(l, "", "")
		} else {
			ended <- server.Serve(l)
		}
	}()
	select {
	case err := <-ended:
		l.Close()
		return err
	case <-ctx.Done():
	}
	ending.Store(true)
	err := server.Shutdown(hurry)
	if errors.Is(err, context.Canceled) {
		err = server.Close()
	}
	<-ended // http.ErrServerClosed
	return err
}

// endLate tells connections of HTTP/2 to end that were still in their TLS handshake when
// Shutdown told the others. The server would take requests there and wait for it, until
// nobody asked anything for idleTimeout. A connection is known before it is idle for the
// first time.
func endLate(server *http.Server) {
	over, stop := context.WithCancel(context.Background())
	stop()
	_ = server.Shutdown(over) // tells them, and waits for nothing
}

// Until returns a context that ends with another, or when the channel is closed.
func Until(ctx context.Context, closed <-chan struct{}) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		select {
		case <-closed:
		case <-ctx.Done():
		}
	}()
	return ctx
}
