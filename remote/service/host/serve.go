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

// Limits of connections. None limits the time of a whole request or answer: an upload may take as
// long as bytes keep moving.
const (
	headerTimeout = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	// writeTimeout ends an HTTP/2 connection whose client reads nothing. Its requests cannot be
	// ended individually, because that requires a write.
	writeTimeout = 2 * time.Minute
	// streamLimit is how many concurrent requests an HTTP/2 connection may have.
	streamLimit = 20
)

// Serve answers requests until ctx ends, then drains and closes the listener, finishes the running
// requests and returns nil. When hurry ends as well, it aborts the rest. Each connection that a
// client takes for open gets an answer to its next request, which says that no other will follow.
// Idle connections are closed once that is unlikely to come (see quietTime), those without a first
// request within some seconds.
func Serve(ctx, hurry context.Context, l net.Listener, h http.Handler, certificate *Certificate, log *slog.Logger) error {
	var d draining
	server := &http.Server{
		Handler:           d.handler(h),
		TLSConfig:         certificate.config(),
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: streamLimit, WriteByteTimeout: writeTimeout},
		MaxHeaderBytes:    2 * service.MaxAddress,
		// The handler counts OPTIONS * like any other request.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	var ending atomic.Bool // Shutdown has started or is about to
	server.ConnState = func(_ net.Conn, state http.ConnState) {
		d.note(state)
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
	d.drain(hurry, l)
	<-ended // the drain has closed the listener: Shutdown would report that as a failure if the server still had it
	ending.Store(true)
	err := server.Shutdown(hurry)
	if errors.Is(err, context.Canceled) {
		err = server.Close()
	}
	return err
}

// endLate ends HTTP/2 connections that were still in their TLS handshake when Shutdown notified
// the others. Otherwise the server would accept their requests and wait for them until they were
// idle for idleTimeout. The server knows a connection before it first becomes idle.
func endLate(server *http.Server) {
	over, stop := context.WithCancel(context.Background())
	stop()
	_ = server.Shutdown(over) // notifies them without waiting
}

// Until returns a context that ends with ctx, or when the channel is closed.
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
