package host

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
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
	// streamLimit is how many requests a connection of HTTP/2 may have under way.
	streamLimit = 20
)

// LoadTLS reads a certificate and its key from PEM files. Without a name it
// gives nil, which stands for plain HTTP.
func LoadTLS(cert, key string) (*tls.Config, error) {
	if cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("the certificate cannot be used: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}}, nil
}

// Serve answers requests until ctx ends, then closes the listener, finishes
// what is under way and returns nil. When hurry ends as well, it breaks off
// what is left. Connections that have asked nothing are closed at once.
func Serve(ctx, hurry context.Context, l net.Listener, h http.Handler, certificate *tls.Config, log *slog.Logger) error {
	server := &http.Server{
		Handler:           h,
		TLSConfig:         certificate,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: streamLimit},
		MaxHeaderBytes:    2 * service.MaxAddress,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
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
