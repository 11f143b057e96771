package remote

import (
	"compress/gzip"
	"context"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
	"paperfs/remote/xmlscan"
)

func TestAddressRules(t *testing.T) {
	t.Parallel()
	for address, words := range map[string]string{
		"https://api.example/x/":           "",
		"http://127.0.0.1:8080":            "",
		"http://localhost":                 "",
		"http://[::1]:1/":                  "",
		"http://api.example":               "plain http",
		"http://127.0.0.1.example":         "plain http",
		"ftp://api.example":                "no http or https",
		"api.example":                      "no http or https",
		"":                                 "no http or https",
		"https://me:s3cret@api.example":    "contains credentials",
		"https://api.example/?x=1":         "query",
		"https://me:s3cret@api.example:x/": "not a URL",
		"https://api.example/V2":           "write https://api.example",
		"https://api.example/x/V2/":        "write https://api.example/x",
		"https://api.example//x/":          "a slash too many",
	} {
		_, err := New(Options{BaseURL: address})
		if words == "" {
			require.NoError(t, err, address)
			continue
		}
		require.ErrorContains(t, err, words, address)
		require.NotContains(t, err.Error(), "s3cret")
	}
	testrun.Must(New(Options{BaseURL: "http://api.example", AllowPlainHTTP: true}))(t)
	_, err := New(Options{BaseURL: "https://api.example", RPM: -1})
	require.Error(t, err)
}

func TestRequestForm(t *testing.T) {
	t.Parallel()
	s, c := serve(t, answers(result(Success, `<paper id="5" url="/a/"/>`)), func(o *Options) { o.BaseURL += "/base/" })
	testrun.Must2(c.GetPaperIDFromUrl(ctx, "/ü & b/"))(t)
	testrun.Must(c.GetLinks(ctx, 7))(t)
	testrun.Must(c.GetTree(ctx))(t)
	got := s.requests()
	for i := range got {
		got[i].kind, got[i].length = "", 0
	}
	credentials := url.QueryEscape(testUser)
	password := url.QueryEscape(testPassword)
	require.Equal(t, received{path: "/base/V2/Paper.asmx/GetPaperIDFromUrl", body: "plUsername=" + credentials + "&plPassword=" + password + "&url=%2F%C3%BC+%26+b%2F"}, got[0])
	require.Equal(t, received{path: "/base/V2/Link.asmx/GetLinks", body: "username=" + credentials + "&password=" + password + "&paperID=7"}, got[1])
	require.Equal(t, received{path: "/base/V2/Media.asmx/GetTree", body: "plUsername=" + credentials + "&plPassword=" + password +
		"&username=" + credentials + "&password=" + password}, got[2])
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("credentials went to another host") }))
	defer other.Close()
	for name, c := range map[string]struct {
		code     int
		location string
		followed bool
	}{
		"307": {307, "/moved", true}, "308": {308, "/moved", true},
		"301": {301, "/moved", false}, "302": {302, "/moved", false}, "303": {303, "/moved", false},
		"other host": {307, other.URL + "/moved", false}, "user": {307, "http://a:b@HOST/moved", false}, "loop": {307, "/V2/Media.asmx/UploadFile", false},
	} {
		t.Run(name, func(t *testing.T) {
			s, client := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/moved" {
					w.Header().Set("Location", strings.Replace(c.location, "HOST", r.Host, 1))
					w.WriteHeader(c.code)
					return
				}
				io.WriteString(w, result(Success, "<fileid>1</fileid>"))
			})
			_, err := client.UploadFile(ctx, 0, "a", content("some bytes"))
			got := s.requests()
			if c.followed {
				require.NoError(t, err)
				require.Len(t, got, 2)
				require.Equal(t, got[0].body, got[1].body)
				return
			}
			require.Equal(t, c.code, fails(t, err, Status).Status)
			require.NotEqual(t, "/moved", got[len(got)-1].path)
			require.LessOrEqual(t, len(got), maxRedirects+1)
		})
	}
}

func TestProxyOfTheEnvironment(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	backend := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, result(Success, `<paper url="/a/" />`))
	}))
	defer backend.Close()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.Method+" "+r.Host)
		mu.Unlock()
		if r.Method != http.MethodConnect {
			io.WriteString(w, result(Success, `<paper url="/a/" />`))
			return
		}
		to, err := net.Dial("tcp", backend.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		from, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { io.Copy(to, from); to.Close() }()
		io.Copy(from, to)
		from.Close()
	}))
	defer proxy.Close()
	t.Setenv("HTTPS_PROXY", proxy.URL)
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("NO_PROXY", "")
	t.Setenv("no_proxy", "")
	ca := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: backend.Certificate().Raw})
	require.NoError(t, os.WriteFile(ca, block, 0o600))

	for _, o := range []Options{{BaseURL: "https://example.com", CAFile: ca}, {BaseURL: "http://plain.example", AllowPlainHTTP: true}} {
		c := testrun.Must(New(o))(t)
		require.Equal(t, "/a/", testrun.Must(c.GetPaperUrlFromID(ctx, 1))(t))
		c.Close()
	}
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, []string{"CONNECT example.com:443", "POST plain.example"}, asked)
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	s := &standIn{}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, result(Success, `<paper url="/a/" />`))
	}))
	s.Server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(s.Server.Close)
	c := s.client(t)
	_, err := c.GetPaperUrlFromID(ctx, 1)
	require.Contains(t, fails(t, err, Unreachable).Reason(), "certificate")
	require.Empty(t, s.pauses, "the client must not retry with an untrusted certificate")

	_, err = New(Options{BaseURL: s.URL, CAFile: "/nowhere/ca.pem"})
	require.ErrorContains(t, err, "CA file")
	empty := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(empty, []byte("nothing"), 0o600))
	_, err = New(Options{BaseURL: s.URL, CAFile: empty})
	require.ErrorContains(t, err, "no certificate")
}

// TestCredentialsStayOutOfTexts checks that the credentials appear in no error, log line or
// address, whatever a service does with them.
func TestCredentialsStayOutOfTexts(t *testing.T) {
	t.Parallel()
	forms := []string{testPassword, url.QueryEscape(testPassword), xmlscan.Escape(testPassword), url.PathEscape(testPassword)}
	echo := strings.Join(forms, " ") + " " + strings.Repeat(testPassword, 300) + " " + testUser
	handlers := map[string]handler{
		"500":      status(500, echo),
		"redirect": status(302, "", "Location", "/x?password="+url.QueryEscape(testPassword)),
		"text":     status(200, echo),
		"page":     answers("<html>" + echo + "</html>"),
		"message":  answers("<result><code>ERROR</code><message>" + xmlscan.Escape(echo) + "</message></result>"),
		"code":     answers("<result><code>" + xmlscan.Escape(testPassword) + "</code></result>"),
		"data":     answers("<result><code>ERROR</code><data>" + xmlscan.Escape(echo) + "</data></result>"),
		"element":  answers("<" + testUser[:5] + ">" + xmlscan.Escape(echo)),
		"id":       answers(result(Success, `<paper id="`+xmlscan.Escape(testPassword)+`" />`)),
		"cut":      status(500, strings.Repeat(testPassword, 4096)[:maxHead-3]+testPassword[:10]),
		"lost":     lost,
	}
	for name, h := range handlers {
		t.Run(name, func(t *testing.T) {
			s, c := serve(t, h)
			_, _, err := c.GetPaperIDFromUrl(ctx, "/a/")
			require.Error(t, err)
			var texts []string
			for e := err; e != nil; {
				texts = append(texts, e.Error())
				u, ok := e.(interface{ Unwrap() error })
				if !ok {
					break
				}
				e = u.Unwrap()
			}
			for _, r := range s.requests() {
				texts = append(texts, r.path)
			}
			require.NotEmpty(t, s.log.String())
			texts = append(texts, s.log.String())
			for _, text := range texts {
				for _, secret := range append(forms, testUser, testPassword[:10]) {
					require.NotContains(t, text, secret)
				}
			}
		})
	}
}

func TestOneLogLineACall(t *testing.T) {
	t.Parallel()
	s, c := serve(t, then(lost, answers(result(PaperDoesNotExist, ""))))
	_, err := c.GetPaperStructure(ctx, 123456, true)
	e := fails(t, err, Refused)
	lines := strings.Split(strings.TrimSpace(s.log.String()), "\n")
	require.Len(t, lines, 1)
	for _, part := range []string{"level=DEBUG", "op=GetPaperStructure", "request=1", "attempts=2", "code=PAPER_DOES_NOT_EXIST", "duration=", "sent=", "received="} {
		require.Contains(t, lines[0], part)
	}
	require.NotContains(t, lines[0], "123456")
	require.EqualValues(t, 1, e.Request)
}

func TestErrorIsUsefulAsText(t *testing.T) {
	t.Parallel()
	_, c := serve(t, status(500, "Missing parameter: url.\r\n"))
	_, _, err := c.GetPaperIDFromUrl(ctx, "/a/")
	require.EqualError(t, err, "GetPaperIDFromUrl: the service failed (HTTP 500): Missing parameter: url.")
	var e *Error
	require.ErrorAs(t, err, &e)
	require.False(t, e.Ambiguous)
}

// TestGzip checks that the client requests compression only from other machines.
func TestGzip(t *testing.T) {
	t.Parallel()
	answer := result(Success, `<paper url="/a/" />`)
	s := &standIn{}
	s.Server = newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host == s.Listener.Addr().String() {
			require.Empty(t, r.Header.Get("Accept-Encoding"))
			io.WriteString(w, answer)
			return
		}
		require.Equal(t, "gzip", r.Header.Get("Accept-Encoding"))
		w.Header().Set("Content-Encoding", "gzip")
		zip := gzip.NewWriter(w)
		io.WriteString(zip, answer)
		zip.Close()
	})
	far := s.client(t, func(o *Options) { o.BaseURL, o.AllowPlainHTTP = "http://service.example", true })
	far.transport.Proxy = nil
	far.transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, s.Listener.Addr().String())
	}
	for _, c := range []*Client{s.client(t), far} {
		require.Equal(t, "/a/", testrun.Must(c.GetPaperUrlFromID(ctx, 1))(t))
	}
}

// TestConnectionIsKept checks that requests use one connection, also if an answer goes on after its end. Where a machine
// takes 50 ms to report that a request is written, Go opens another.
func TestConnectionIsKept(t *testing.T) {
	t.Parallel()
	var opened atomic.Int32
	s := &standIn{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, result(Success, `<paper url="/a/" />`)+strings.Repeat(" ", 100<<10))
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Server.Close)
	c := s.client(t)
	for range 20 {
		testrun.Must(c.GetPaperUrlFromID(ctx, 1))(t)
	}
	require.Less(t, opened.Load(), int32(10))
}
