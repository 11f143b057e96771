package mount

import (
	"fmt"
	"net"
	"net/http"
	"os"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/fs/control"
	"paperfs/remote/service/host"
)

// listenMetrics returns nil if no address is configured.
func listenMetrics(c *config.Config) (net.Listener, error) {
	if c.MetricsListen == "" {
		return nil, nil
	}
	l, err := host.ListenOperator(c.MetricsListen)
	if err != nil {
		return nil, cli.ListenError(c.NameOf("metrics_listen"), c.MetricsListen, err)
	}
	fmt.Fprintf(os.Stderr, "paperfs: /metrics at %s\n", l.Addr())
	return l, nil
}

// serveMetrics answers /metrics with the content of .paperfs/metrics until stop is
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
		_, _ = w.Write(text) // the client may have disconnected
	})
	return host.ServeOperator(l, mux)
}
