package mount

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"

	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/usage"
	"paperfs/fs/control"
	"paperfs/remote/service/host"
)

// listenMetrics returns nil if no address is configured.
func listenMetrics(c *config.Config) (net.Listener, error) {
	if c.MetricsListen == "" {
		return nil, nil
	}
	l, err := host.ListenOperator(c.MetricsListen)
	if _, ok := errors.AsType[*net.OpError](err); err != nil && !ok && !strings.Contains(c.MetricsListen, "/") || isAddressError(err) {
		return nil, &usage.Error{Err: fmt.Errorf("%s %s: %w", c.NameOf("metrics_listen"), c.MetricsListen, err)}
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", c.NameOf("metrics_listen"), c.MetricsListen, err)
	}
	fmt.Fprintf(os.Stderr, "paperfs: /metrics at %s\n", l.Addr())
	return l, nil
}

// isAddressError reports whether listening failed because the text is not an address.
func isAddressError(err error) bool {
	_, isDNS := errors.AsType[*net.DNSError](err)
	_, isAddr := errors.AsType[*net.AddrError](err)
	_, isParse := errors.AsType[*net.ParseError](err)
	return isDNS || isAddr || isParse
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
