package apitest

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// transport is a client and the address it uses.
type transport struct {
	url    string
	client *http.Client
}

// transports returns transports for HTTP/1.1 and HTTP/2.
func (s *server) transports(t *testing.T) map[string]transport {
	secure := httptest.NewUnstartedServer(s.service)
	secure.EnableHTTP2 = true
	secure.StartTLS()
	t.Cleanup(secure.Close)
	return map[string]transport{"HTTP/1.1": {s.http.URL, s.http.Client()}, "HTTP/2": {secure.URL, secure.Client()}}
}

// sized is a body whose length the request tells.
type sized struct {
	io.Reader
	length int64
}

// send returns the answer to a request, or why there is none.
func (w transport) send(t *testing.T, method, path, kind string, body io.Reader) (status int, text string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testrun.Patience())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, w.url+path, body)
	require.NoError(t, err)
	req.Header.Set("Content-Type", kind)
	if s, ok := body.(sized); ok {
		req.ContentLength = s.length
	}
	resp, err := w.client.Do(req)
	if err == nil {
		defer resp.Body.Close()
		var answer []byte
		answer, err = io.ReadAll(resp.Body)
		status, text = resp.StatusCode, string(answer)
	}
	require.NoError(t, ctx.Err(), "the request to %s does not end", path)
	return status, text, err
}

// alone returns the same transport with its own connection: if a client sends thousands of small
// pieces to a finished HTTP/2 request, the server closes the connection with all other requests on
// it.
func (w transport) alone(t *testing.T) transport {
	own := w.client.Transport.(*http.Transport).Clone()
	t.Cleanup(own.CloseIdleConnections)
	return transport{w.url, &http.Client{Transport: own}}
}

const formKind = "application/x-www-form-urlencoded"

// over is an endless body: text first, then again repeated. It counts the bytes that are read.
type over struct {
	text, again string
	taken       atomic.Int64
}

func (b *over) Read(p []byte) (int, error) {
	if b.text == "" {
		b.text = strings.Repeat(b.again, 1+(4<<10)/len(b.again))
	}
	n := copy(p, b.text)
	b.text = b.text[n:]
	b.taken.Add(int64(n))
	return n, nil
}

const soapBegin = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/">`

// aimless returns endless bodies of which the service stores nothing.
func (s *server) aimless() map[string]struct{ method, path, kind, text, again string } {
	upload, tree := remote.UploadFile.Path(), remote.GetTree.Path()
	wrong := params("username", s.user, "password", "wrong").Encode()
	begun := soapBegin + `<e:Body><GetTree xmlns="http://tempuri.org/">`
	return map[string]struct{ method, path, kind, text, again string }{
		"unknown field":            {"POST", tree, formKind, "x=", "A"},
		"unknown field of upload":  {"POST", upload, formKind, "x=", "A"},
		"long name":                {"POST", tree, formKind, "", "A"},
		"no base64":                {"POST", upload, formKind, "base64File=***", "A"},
		"white space in base64":    {"POST", upload, formKind, "base64File=AAAA", "%0A"},
		"little in white space":    {"POST", upload, formKind, "base64File=", "A" + strings.Repeat("%0A", 100)},
		"two fields of content":    {"POST", upload, formKind, "base64File=AAAA&base64File=", "A"},
		"wrong password":           {"POST", tree, formKind, wrong + "&x=", "A"},
		"wrong password of upload": {"POST", upload, formKind, wrong + "&base64File=", "A"},
		"white space before SOAP":  {"POST", "/V2/Media.asmx", "text/xml", "", " "},
		"comment in SOAP":          {"POST", "/V2/Media.asmx", "text/xml", soapBegin, "<!-- x -->"},
		"headers of SOAP":          {"POST", "/V2/Media.asmx", "text/xml", soapBegin + "<e:Header>", "<a/>"},
		"unknown parameter":        {"POST", "/V2/Media.asmx", "text/xml", begun + "<x>", "A"},
		"comment among parameters": {"POST", "/V2/Media.asmx", "text/xml", begun, "<!-- x -->"},
		"body of a GET":            {"GET", tree, formKind, "", "A"},
		"body for a page":          {"GET", "/", formKind, "", "A"},
		"nothing there":            {"POST", "/nothing/", formKind, "", "A"},
		"another type":             {"POST", tree, "text/plain", "", "A"},
	}
}

// TestNoBodyGoesOn checks that the service reads only a bounded part of a useless body, unless it
// has good credentials.
func TestNoBodyGoesOn(t *testing.T) {
	t.Parallel()
	s := start(t)
	const most = 1 << 20
	s.setBodyBounds(most, time.Now)
	login := s.credentials(remote.UploadFile).Encode()
	many := strings.Repeat("A", 3*most)
	for protocol, way := range s.transports(t) {
		for name, b := range s.aimless() {
			body := &over{text: b.text, again: b.again}
			status, text, err := way.send(t, b.method, b.path, b.kind, body)
			require.Less(t, body.taken.Load(), int64(20<<20), "%s, %s: %d %s %v", protocol, name, status, text, err)
			require.NotContains(t, text, "SUCCESS", name)
		}
		upload := func(form string) (int, string) {
			t.Helper()
			status, text := testrun.Must2(way.send(t, "POST", remote.UploadFile.Path(), formKind, strings.NewReader(form)))(t)
			return status, text
		}
		content := base64.StdEncoding.EncodeToString(make([]byte, 3*most/4))
		for name, good := range map[string]string{
			"credentials first":   login + "&x=" + many + "&parentID=0&name=a&base64File=QUJD",
			"content first":       "base64File=" + many + "&parentID=0&name=b&" + login,
			"escaped":             "base64File=" + strings.Repeat("%41", 2*most) + "&parentID=0&name=c&" + login,
			"in lines":            "base64File=" + strings.Repeat(strings.ReplaceAll(content[:76], "=", "A")+"%0D%0A", most/20) + "&parentID=0&name=d&" + login,
			"as much as may come": "x=" + many[:most-1000] + "&parentID=0&name=e&base64File=QUJD&" + login,
			"credentials between": "x=" + many[:most/2] + "&" + login + "&x=" + many + "&parentID=0&name=f&base64File=QUJD",
		} {
			status, text := upload(good)
			require.Contains(t, text, "SUCCESS", "%s, %s: %d", protocol, name, status)
		}
		for name, bad := range map[string]string{
			"credentials last":  "x=" + many + "&parentID=0&name=a&base64File=QUJD&" + login,
			"first and content": "base64File=" + many + "&x=" + many + "&parentID=0&name=b&" + login,
		} {
			status, text, err := way.send(t, "POST", remote.UploadFile.Path(), formKind, strings.NewReader(bad))
			require.True(t, err != nil || status == http.StatusRequestEntityTooLarge && strings.Contains(text, "credentials before"), "%s, %s: %d %s", protocol, name, status, text)
		}
	}
}

// TestThirtyTwoMiBMayComeFirst checks the default bound.
func TestThirtyTwoMiBMayComeFirst(t *testing.T) {
	t.Parallel()
	s := start(t)
	way := transport{s.http.URL, s.http.Client()}
	login := s.credentials(remote.GetTree).Encode()
	_, text := testrun.Must2(way.send(t, "POST", remote.GetTree.Path(), formKind, strings.NewReader("x="+strings.Repeat("A", 31<<20)+"&"+login)))(t)
	require.Contains(t, text, "SUCCESS")
	_, text, _ = way.send(t, "POST", remote.GetTree.Path(), formKind, strings.NewReader("x="+strings.Repeat("A", 33<<20)+"&"+login))
	require.NotContains(t, text, "SUCCESS")
}

// TestNoBodyDrips checks that a body that arrives too slowly ends its request, unless good
// credentials came first.
func TestNoBodyDrips(t *testing.T) {
	t.Parallel()
	s := start(t)
	var now atomic.Int64
	s.setBodyBounds(32<<20, func() time.Time { return time.Unix(now.Load(), 0) })
	type answer struct {
		status int
		text   string
		err    error
	}
	begin := func(way transport, method, path, kind string) (*io.PipeWriter, chan answer) {
		body, feed := io.Pipe()
		ended := make(chan answer, 1)
		go func() {
			status, text, err := way.alone(t).send(t, method, path, kind, body)
			body.CloseWithError(io.ErrClosedPipe) // nobody reads it any more
			ended <- answer{status, text, err}
		}()
		return feed, ended
	}
	login := s.credentials(remote.UploadFile).Encode()
	for protocol, way := range s.transports(t) {
		for _, name := range []string{"unknown field", "comment in SOAP"} {
			b := s.aimless()[name]
			feed, ended := begin(way, b.method, b.path, b.kind)
			piece := b.text + b.again
			for written := true; written; { // two minutes pass between pieces
				_, err := io.WriteString(feed, piece)
				written = err == nil
				piece = b.again
				now.Add(121)
			}
			a := <-ended
			require.NotContains(t, a.text, "SUCCESS", "%s, %s", protocol, name)
		}
		// A slow upload ends too.
		feed, ended := begin(way, "POST", remote.UploadFile.Path(), formKind)
		for text, written := "parentID=0&name=f&base64File=", true; written; text = "AAAA" {
			_, err := io.WriteString(feed, text)
			written = err == nil
			now.Add(121)
		}
		a := <-ended
		require.True(t, a.err != nil || a.status == http.StatusRequestTimeout && strings.Contains(a.text, "too slowly"), "%s: %d %s", protocol, a.status, a.text)
		s.awaitStrangers(0, 0)

		// An upload that is fast enough succeeds.
		feed, ended = begin(way, "POST", remote.UploadFile.Path(), formKind)
		testrun.Must(io.WriteString(feed, "parentID=0&name=f&base64File="))(t)
		for i := range int64(3) {
			testrun.Must(io.WriteString(feed, strings.Repeat("AAAA", 1<<20)))(t)
			s.awaitStrangers(1, (i+1)*(3<<20)-(1<<19)) // wait until it has arrived
			now.Add(121)
		}
		testrun.Must(io.WriteString(feed, "&"+login))(t)
		feed.Close()
		a = <-ended
		require.NoError(t, a.err)
		require.Contains(t, a.text, "SUCCESS", protocol)

		// So does an upload at any pace, once its credentials are verified.
		const judged = `paperfs_service_database_seconds_count{transaction="caller"}`
		before := s.metric(judged)
		feed, ended = begin(way, "POST", remote.UploadFile.Path(), formKind)
		testrun.Must(io.WriteString(feed, login+"&parentID=0&name=f&base64File="))(t)
		require.Eventually(t, func() bool { return s.metric(judged) > before }, testrun.Patience(), time.Millisecond)
		for range 100 {
			testrun.Must(io.WriteString(feed, "AAAA"))(t)
			now.Add(121)
		}
		feed.Close()
		a = <-ended
		require.NoError(t, a.err)
		require.Contains(t, a.text, "SUCCESS", protocol)
	}
}
