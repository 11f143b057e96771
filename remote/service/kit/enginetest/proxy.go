package enginetest

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// Hook answers a request itself, or forwards it.
type Hook func(w http.ResponseWriter, r *http.Request, forward http.Handler)

// Proxy is a proxy in front of a server that can make requests fail.
type Proxy struct {
	Host string

	mu   sync.Mutex
	hook Hook
	seen []string // methods and queries
}

// Proxy starts a proxy that ends with the test.
func (s *ObjectStore) Proxy(t testing.TB) *Proxy {
	t.Helper()
	p := &Proxy{}
	to := &url.URL{Scheme: "http", Host: s.Host}
	transport := &http.Transport{DisableCompression: true}
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host // the signature covers it
		},
		Transport:     transport,
		FlushInterval: -1,
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { Cut() },
		ErrorLog:      log.New(io.Discard, "", 0),
	}
	h := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		hook := p.hook
		p.seen = append(p.seen, r.Method+" "+r.URL.RawQuery)
		p.mu.Unlock()
		if hook == nil {
			forward.ServeHTTP(w, r)
			return
		}
		hook(w, r, forward)
	}))
	h.Config.ErrorLog = log.New(io.Discard, "", 0)
	h.Start()
	p.Host = strings.TrimPrefix(h.URL, "http://")
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
		transport.CloseIdleConnections()
	})
	return p
}

// Set passes all further requests to a hook; nil forwards them.
func (p *Proxy) Set(h Hook) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hook = h
}

// Seen returns the requests since its last call: method and query.
func (p *Proxy) Seen() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := p.seen
	p.seen = nil
	return seen
}

// Cut breaks the connection of a request at once.
func Cut() { panic(http.ErrAbortHandler) }

// CutBody reads that many bytes of the request's body, then breaks the connection.
func CutBody(r *http.Request, bytes int64) {
	_, _ = io.CopyN(io.Discard, r.Body, bytes)
	Cut()
}

// Lost forwards a request but loses its answer.
func Lost(r *http.Request, forward http.Handler) {
	forward.ServeHTTP(httptest.NewRecorder(), r)
	Cut()
}

// Status answers with a status and an S3 error.
func Status(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, `<?xml version="1.0"?><Error><Code>`+code+`</Code><Message>a test says so</Message></Error>`)
}

// Truncated forwards that many bytes of the answer, then breaks the connection.
func Truncated(w http.ResponseWriter, r *http.Request, forward http.Handler, bytes int) {
	forward.ServeHTTP(&shortWriter{ResponseWriter: w, left: bytes}, r)
}

type shortWriter struct {
	http.ResponseWriter
	left int
}

func (s *shortWriter) Write(p []byte) (int, error) {
	if len(p) > s.left {
		_, _ = s.ResponseWriter.Write(p[:s.left])
		_ = http.NewResponseController(s.ResponseWriter).Flush()
		Cut()
	}
	s.left -= len(p)
	return s.ResponseWriter.Write(p)
}

func (s *shortWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Slow forwards the answer in pieces, with a pause after each.
func Slow(w http.ResponseWriter, r *http.Request, forward http.Handler, piece int, pause time.Duration) {
	forward.ServeHTTP(&slowWriter{w, piece, pause}, r)
}

type slowWriter struct {
	http.ResponseWriter
	piece int
	pause time.Duration
}

func (s *slowWriter) Write(p []byte) (written int, err error) {
	for len(p) > 0 && err == nil {
		var n int
		n, err = s.ResponseWriter.Write(p[:min(s.piece, len(p))])
		_ = http.NewResponseController(s.ResponseWriter).Flush()
		p, written = p[n:], written+n
		time.Sleep(s.pause)
	}
	return written, err
}

func (s *slowWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }
