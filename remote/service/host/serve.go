package host

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
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
// what is left. Connections that have asked nothing are closed at once.
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
	err := server.Shutdown(hurry)
	if errors.Is(err, context.Canceled) {
		err = server.Close()
	}
	<-ended // http.ErrServerClosed
	return err
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
