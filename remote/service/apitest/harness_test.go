package apitest

import (
	"encoding/xml"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/help"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// server is a service on a real HTTP server, with the credentials of an account.
type server struct {
	t       testing.TB
	data    string
	options service.Options
	service *service.Service
	http    *httptest.Server
	user    string
	key     string
	host    string       // sent as Host; "" for the server's own
	asked   *admin.Admin // by tests that ask it often
}

// clock is the fixed time of tests that need one.
var clock = time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC)

func start(t testing.TB, change ...func(*service.Options)) *server {
	s := &server{t: t}
	s.options = service.Options{Data: filepath.Join(t.TempDir(), "data"), PDFCache: servicetest.PDFCache(), PDFWorker: servicetest.PDFWorker(), Now: func() time.Time { return clock }, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	for _, f := range change {
		f(&s.options)
	}
	s.data = s.options.Data
	servicetest.Migrate(t, s.data)
	s.open()
	t.Cleanup(s.close)
	return s
}

// inFiles is start for tests of the data directory: its files, copies, checks and repairs, and what
// a crash leaves in it.
func inFiles(t testing.TB, change ...func(*service.Options)) *server {
	allInFiles(t)
	return start(t, change...)
}

func allInFiles(t testing.TB) {
	if os.Getenv(servicetest.Engine) != "" {
		t.Skip("this test needs a data directory that contains everything")
	}
}

func (s *server) open() {
	var err error
	s.options.Apart = s.place().Apart(s.t)
	s.service, err = service.Open(s.options)
	require.NoError(s.t, err)
	s.http = httptest.NewServer(s.service)
	env, err := datadir.ReadClientEnv(s.data)
	require.NoError(s.t, err)
	s.user, s.key = env.Username, env.Password
}

func (s *server) close() {
	if s.http != nil {
		s.http.Close()
		require.NoError(s.t, s.service.Close())
		s.http = nil
	}
}

func (s *server) reopen() {
	s.close()
	s.open()
}

func (s *server) admin() *admin.Admin {
	return s.place().Admin(s.t)
}

func (s *server) place() *servicetest.Place { return servicetest.In(s.t, s.data) }

// as returns the server with other credentials.
func (s *server) as(user, key string) *server {
	other := *s
	other.user, other.key = user, key
	return &other
}

// at returns the server under another host name.
func (s *server) at(host string) *server {
	other := *s
	other.host = host
	return &other
}

// params returns form values from alternating names and values.
func params(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Add(pairs[i], pairs[i+1])
	}
	return v
}

func (s *server) credentials(op *remote.Operation) url.Values {
	return params(op.Pair.Username, s.user, op.Pair.Password, s.key)
}

// logBuffer is a log that a test can read while the service writes it.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// tester is the common interface of testing.TB and rapid.
type tester interface {
	require.TestingT
	Helper()
}

// reply is an HTTP answer with its envelope.
type reply struct {
	status int
	header http.Header
	body   string
	code   remote.Code
	words  string
	data   string // inner XML of the data element
	has    bool   // whether there is a data element
}

// credentialsFirst encodes a form with its credentials first, so that concurrent uploads are
// accepted.
func credentialsFirst(form url.Values) string {
	login, rest := url.Values{}, url.Values{}
	for name, values := range form {
		switch name {
		case remote.PL.Username, remote.PL.Password, remote.Plain.Username, remote.Plain.Password:
			login[name] = values
		default:
			rest[name] = values
		}
	}
	return login.Encode() + "&" + rest.Encode()
}

func (s *server) send(method, path string, form url.Values) reply {
	s.t.Helper()
	var req *http.Request
	var err error
	if method == http.MethodGet {
		req, err = http.NewRequest(method, s.http.URL+path+"?"+form.Encode(), nil)
	} else {
		req, err = http.NewRequest(method, s.http.URL+path, strings.NewReader(credentialsFirst(form)))
	}
	require.NoError(s.t, err)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return s.do(req)
}

func (s *server) do(req *http.Request) reply {
	s.t.Helper()
	if s.host != "" {
		req.Host = s.host
	}
	resp := testrun.Must(http.DefaultClient.Do(req))(s.t)
	r := read(s.t, resp)
	r.asDescribed(s.t, req.URL.Path)
	return r
}

// read reads an answer.
func read(t testing.TB, resp *http.Response) reply {
	t.Helper()
	defer resp.Body.Close()
	body := testrun.Must(io.ReadAll(resp.Body))(t)
	r := reply{status: resp.StatusCode, header: resp.Header, body: string(body)}
	if r.status == http.StatusOK && resp.Header.Get("Content-Type") == "text/xml; charset=utf-8" {
		r.readEnvelope(t)
	}
	return r
}

func (r *reply) readEnvelope(t testing.TB) {
	t.Helper()
	require.True(t, strings.HasPrefix(r.body, `<?xml version="1.0" encoding="utf-8"?>`), r.body)
	inner := r.body
	if strings.Contains(r.body, "<string xmlns=") {
		var wrapped struct {
			XMLName xml.Name `xml:"string"`
			Text    string   `xml:",chardata"`
		}
		require.NoError(t, xml.Unmarshal([]byte(r.body), &wrapped), r.body)
		inner = wrapped.Text
		require.True(t, strings.HasPrefix(inner, `<?xml version="1.0" encoding="utf-8"?>`), r.body)
	}
	var result struct {
		XMLName xml.Name `xml:"result"`
		Code    string   `xml:"code"`
		Message string   `xml:"message"`
		Data    *struct {
			Inner string `xml:",innerxml"`
		} `xml:"data"`
	}
	require.NoError(t, xml.Unmarshal([]byte(inner), &result), inner)
	r.code, r.words = remote.Code(strings.TrimSpace(result.Code)), result.Message
	if r.has = result.Data != nil; r.has {
		r.data = strings.TrimSpace(result.Data.Inner)
	}
}

// call posts an operation with this server's credentials.
func (s *server) call(op *remote.Operation, pairs ...string) reply {
	s.t.Helper()
	return s.by(http.MethodPost, op, pairs...)
}

func (s *server) by(method string, op *remote.Operation, pairs ...string) reply {
	s.t.Helper()
	form := s.credentials(op)
	for name, values := range params(pairs...) {
		form[name] = values
	}
	r := s.send(method, op.Path(), form)
	if r.code != "" {
		require.Contains(s.t, help.Sent(op), r.code, "the OpenAPI document lacks what %s answers: %s", op.Name, r.body)
	}
	return r
}

// must is call, and ends the test on any code but SUCCESS.
func (s *server) must(op *remote.Operation, pairs ...string) reply {
	s.t.Helper()
	r := s.call(op, pairs...)
	require.Equal(s.t, remote.Success, r.code, "%s %v: %d %s", op.Name, pairs, r.status, r.body)
	return r
}

// fails is call, and ends the test on any code but the given one.
func (s *server) fails(code remote.Code, op *remote.Operation, pairs ...string) reply {
	s.t.Helper()
	r := s.call(op, pairs...)
	require.Equal(s.t, http.StatusOK, r.status, "%s %v: %s", op.Name, pairs, r.body)
	require.Equal(s.t, code, r.code, "%s %v: %s", op.Name, pairs, r.body)
	require.NotEmpty(s.t, r.words)
	return r
}

// attribute returns the first attribute with this name in the data.
func (r reply) attribute(t tester, name string) string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(r.data))
	for {
		token, err := d.Token()
		require.NoError(t, err, "no attribute %s in %s", name, r.data)
		if start, ok := token.(xml.StartElement); ok {
			for _, at := range start.Attr {
				if at.Name.Local == name {
					return at.Value
				}
			}
		}
	}
}

// element returns the text of the first element with this name in the data.
func (r reply) element(t tester, name string) string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(r.data))
	for {
		token, err := d.Token()
		require.NoError(t, err, "no element %s in %s", name, r.data)
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == name {
			var text string
			require.NoError(t, d.DecodeElement(&text, &start))
			return text
		}
	}
}

func (s *server) root() string {
	s.t.Helper()
	return s.must(remote.GetPaperIDFromUrl, "url", "/").attribute(s.t, "id")
}

func (s *server) category(parent, urlName string) string {
	s.t.Helper()
	return s.must(remote.CreateCategory, "parentID", parent, "name", urlName, "urlName", urlName).attribute(s.t, "id")
}

func (s *server) paper(parent, urlName string) string {
	s.t.Helper()
	return s.must(remote.CreatePaper, "parentID", parent, "name", urlName, "urlName", urlName).attribute(s.t, "id")
}

// tree returns GetAllPapers of the root without line breaks.
func (s *server) tree() string {
	s.t.Helper()
	return strings.ReplaceAll(s.must(remote.GetAllPapers, "paperID", s.root()).data, "\n", "")
}

// setTenant replaces all settings of the tenant t.Name.
func setTenant(m *admin.Admin, t admin.TenantSettings) error {
	return m.ChangeTenant(t.Name, func(settings *admin.TenantSettings) error {
		*settings = t
		return nil
	})
}
