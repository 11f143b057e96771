package servicetest

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"

	"paperfs/remote/service"
)

// StartNodes is Start with two services on PostgreSQL and an object store, behind a load
// balancer. It skips the test if these are missing.
func StartNodes(t testing.TB, opts ...func(*service.Options)) *Fixture {
	t.Helper()
	p := &Place{Data: t.TempDir()}
	p.useEngines(t, true)
	p.register(t)
	return StartIn(t, p.Data, opts...)
}

// addNode starts a second service and a load balancer in front of both.
func (f *Fixture) addNode(p *Place, o service.Options) {
	f.t.Helper()
	o.Data = f.t.TempDir()
	o.Apart = p.node(f.t, p.postgres(f.t), "second")
	_, second, stop := serve(f.t, o)
	first := f.stop
	f.stop = func() { first(); stop() }
	f.Nodes = []string{f.URL, second}
	f.URL = balance(f.t, f.Nodes) + o.BasePath
}

// balance starts a load balancer that uses the nodes in turn.
func balance(t testing.TB, nodes []string) (url string) {
	t.Helper()
	var turn atomic.Uint64
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true // the client did not ask for it
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			to := parsed(t, nodes[turn.Add(1)%uint64(len(nodes))])
			r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host
			r.Out.Host = r.In.Host
		},
		Transport:     transport,
		FlushInterval: -1,
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:      log.New(io.Discard, "", 0),
	})
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		transport.CloseIdleConnections()
	})
	return server.URL
}

func parsed(t testing.TB, address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		t.Error(err)
	}
	return u
}
