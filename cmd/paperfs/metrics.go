package main

import (
	"fmt"
	"net"
	"net/http"
	"os"

	"paperfs/fs/control"
	"paperfs/remote/service/host"
)

// listenMetrics returns nil if no address is given.
func (c *Config) listenMetrics() (net.Listener, error) {
	if c.MetricsListen == "" {
		return nil, nil
	}
	l, err := host.ListenOperator(c.MetricsListen)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", c.nameOf("metrics_listen"), c.MetricsListen, err)
	}
	fmt.Fprintf(os.Stderr, "paperfs: /metrics at %s\n", l.Addr())
	return l, nil
}

// serveMetrics answers /metrics with what .paperfs/metrics has, until stop is
// called.
func (a *account) serveMetrics(l net.Listener) (stop func() error) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		text, err := control.Metrics(a.status())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = w.Write(text) // who asked may be gone
	})
	return host.ServeOperator(l, mux)
}
