package remote

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"
)

const (
	dialLimit = 10 * time.Second
	keepAlive = 15 * time.Second
	// idleLimit is below the keep-alive limit of the usual servers and load
	// balancers (a minute and more), so that a call seldom meets a connection
	// that the other side is about to close.
	idleLimit    = 30 * time.Second
	maxRedirects = 5
)

// newTransport returns the HTTP/1.1 transport, with the proxy of the environment.
func newTransport(caFile string) (*http.Transport, error) {
	proxy := httpproxy.FromEnvironment().ProxyFunc()
	t := &http.Transport{
		Proxy:               func(r *http.Request) (*url.URL, error) { return proxy(r.URL) },
		DialContext:         (&net.Dialer{Timeout: dialLimit, KeepAlive: keepAlive}).DialContext,
		TLSHandshakeTimeout: dialLimit,
		MaxIdleConnsPerHost: 16,
		IdleConnTimeout:     idleLimit,
		WriteBufferSize:     64 << 10,
		ReadBufferSize:      32 << 10,
		Protocols:           new(http.Protocols),
	}
	t.Protocols.SetHTTP1(true)
	if caFile == "" {
		return t, nil
	}
	pem, err := os.ReadFile(caFile)
	if err != nil {
		return nil, fmt.Errorf("the CA file cannot be read: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("the CA file %s holds no certificate in PEM form", caFile)
	}
	t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	return t, nil
}

// keepMethod follows a redirect of a call only if it keeps method and body (307, 308) and
// the credentials go to the same host, not over plain http. Any other redirect is a
// failure.
func keepMethod(next *http.Request, via []*http.Request) error {
	code := next.Response.StatusCode
	if code != http.StatusTemporaryRedirect && code != http.StatusPermanentRedirect {
		return http.ErrUseLastResponse
	}
	return keepHost(next, via)
}

// keepHost follows a redirect only on the same host.
func keepHost(next *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects || !sameHost(via[0].URL, next.URL) || next.URL.User != nil {
		return http.ErrUseLastResponse
	}
	return nil
}

// sameHost reports whether two URLs have the same origin, or differ in a step from http to
// https.
func sameHost(from, to *url.URL) bool {
	if from.Scheme == to.Scheme {
		return strings.EqualFold(from.Host, to.Host)
	}
	return to.Scheme == "https" && strings.EqualFold(from.Hostname(), to.Hostname())
}
