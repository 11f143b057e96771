package apitest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

func TestBase64(t *testing.T) {
	t.Parallel()
	s := start(t)
	put := func(method, text string) reply {
		return s.by(method, remote.UploadFile, "parentID", "0", "name", "f", "base64File", text)
	}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for text, content := range map[string]string{"": "", "aGk=": "hi", "a\nG\tk\r\n=\n": "hi", "+/+/": "\xfb\xff\xbf"} {
			require.Equal(t, remote.Success, put(method, text).code, text)
			require.Equal(t, content, s.get(s.must(remote.GetTree).attribute(t, "url")).body)
		}
		before := s.must(remote.GetTree).data
		for _, text := range []string{"aGk", "aG-_", "a", "=", "aGk=aGk=", "aG*k", "aGk==", "äöü=", " aGk=", "aGk= ", "aGlo aGlo"} {
			r := put(method, text)
			require.Equal(t, remote.Failure, r.code, text)
			require.Contains(t, r.words, "base64")
		}
		require.Equal(t, before, s.must(remote.GetTree).data)
	}
	require.Equal(t, 1, s.contents())
}

// raw posts a form body as written.
func (s *server) raw(op *remote.Operation, body string) reply {
	s.t.Helper()
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+op.Path(), strings.NewReader(body)))(s.t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.do(req)
}

// endless is a form body with endless content; it counts the bytes that are read.
type endless struct {
	head  *strings.Reader
	taken atomic.Int64
}

func (e *endless) Read(p []byte) (int, error) {
	if e.head.Len() > 0 {
		return e.head.Read(p)
	}
	for i := range p {
		p[i] = 'A'
	}
	e.taken.Add(int64(len(p)))
	return len(p), nil
}

func TestEndlessUploads(t *testing.T) {
	t.Parallel()
	s := start(t)
	post := func(form url.Values) (reply, int64) {
		body := &endless{head: strings.NewReader(form.Encode() + "&parentID=0&name=f&base64File=")}
		req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+remote.UploadFile.Path(), body))(t)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r := s.do(req)
		return r, body.taken.Load()
	}
	r, taken := post(params("username", s.user, "password", "wrong"))
	require.Equal(t, remote.LoginSecurityViolation, r.code)
	require.Less(t, taken, int64(64<<20), "wrong credentials end the request without reading on")
	require.NoError(t, s.admin().SetReadOnly(true))
	r, _ = post(s.credentials(remote.UploadFile))
	require.Equal(t, remote.ReadOnly, r.code)
	require.Zero(t, s.contents())
}

func TestUnadmittedContentIsBounded(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.setUnadmitted(8)
	login := s.credentials(remote.UploadFile).Encode()
	fits, over := "base64File=MTIzNDU2Nzg%3D", "base64File=MTIzNDU2Nzg5"
	require.Equal(t, remote.Success, s.raw(remote.UploadFile, "parentID=0&name=f&"+fits+"&"+login).code)
	require.Equal(t, http.StatusRequestEntityTooLarge, s.raw(remote.UploadFile, "parentID=0&name=f&"+over+"&"+login).status)
	require.Equal(t, "12345678", s.get(s.must(remote.GetTree).attribute(t, "url")).body)
	require.Equal(t, remote.Success, s.raw(remote.UploadFile, "parentID=0&name=f&"+login+"&"+over).code)
	require.Equal(t, 1, s.contents())
}

// TestUploadMemory uploads more than the heap may grow.
func TestUploadMemory(t *testing.T) {
	s := start(t)
	const size = 64 << 20
	block := make([]byte, 3<<16)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(block)
	encoded := []byte(url.QueryEscape(base64.StdEncoding.EncodeToString(block)))
	pipe, feed := io.Pipe()
	sum := sha256.New()
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, most := m.HeapInuse, m.HeapInuse
	go func() {
		io.WriteString(feed, s.credentials(remote.UploadFile).Encode()+"&parentID=0&name=f&base64File=")
		for sent := 0; sent < size; sent += len(block) {
			sum.Write(block)
			feed.Write(encoded)
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
		}
		feed.Close()
	}()
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+remote.UploadFile.Path(), pipe))(t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	require.Equal(t, remote.Success, s.do(req).code)
	require.Equal(t, hex.EncodeToString(sum.Sum(nil)), s.must(remote.GetTree).attribute(t, "sha256"))
	bound := uint64(32 << 20)
	if s.place().Database() != "" { // PostgreSQL needs two parts of the upload and as much garbage
		bound = 48 << 20
	}
	require.Less(t, most-before, bound, "the heap grew by too many bytes")
}

// TestAMediaFileHasAFileOfItsOwn checks which content is opened as a file, and that it is readable to
// its end after it was replaced.
func TestAMediaFileHasAFileOfItsOwn(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	text := strings.Repeat("large", store.SmallContent)
	open := func(id, content string) (*os.File, error) {
		number := testrun.Must(strconv.ParseInt(id, 10, 64))(t)
		return s.service.MediaFile(t.Context(), "127.0.0.1:80", number, sha256.Sum256([]byte(content)))
	}
	small, large := s.upload("0", "small", "small"), s.upload("0", "large", text)
	for id, content := range map[string]string{small: "small", large: "another", "999": text} {
		_, err := open(id, content)
		require.ErrorIs(t, err, store.ErrNotFound)
	}
	f := testrun.Must(open(large, text))(t)
	defer f.Close()
	require.Equal(t, large, s.upload("0", "large", text+"r"))
	s.must(remote.DeleteFile, "fileID", large)
	require.Equal(t, 1, s.contents(), "both are removed")
	require.Equal(t, text, string(testrun.Must(io.ReadAll(f))(t)))
	_, err := open(large, text)
	require.ErrorIs(t, err, store.ErrNotFound)
}

// TestUploadsActInNobodysName checks that no browser guesses another type for a media file or runs
// it as a page of this host, whatever its name and the request. (Tested by hand in Chromium: HTML,
// SVG, XHTML and XML do nothing.)
func TestUploadsActInNobodysName(t *testing.T) {
	t.Parallel()
	s := start(t)
	const content = `<!DOCTYPE html><script>fetch("/V2/")</script>`
	for _, name := range []string{"a.html", "a.HTM", "a.svg", "a.js", "a.mjs", "a.xhtml", "a.xml", "a.css", "a.pdf", "a.swf", "a.wasm", "a.txt", "a.jpg", "a", "a.html.", "a.unknown"} {
		id := s.upload("0", name, content)
		address := s.must(remote.GetTree).attribute(t, "url")
		for way, header := range map[string][2]string{"": {"Accept", "*/*"}, "a part": {"Range", "bytes=1-5"}, "unchanged": {"If-None-Match", "*"}, "no part": {"Range", "bytes=999-"}} {
			req := testrun.Must(http.NewRequest(http.MethodGet, address, nil))(t)
			req.Header.Set(header[0], header[1])
			r := testrun.Must(http.DefaultClient.Do(req))(t)
			r.Body.Close()
			require.Less(t, r.StatusCode, 417)
			require.Equal(t, "nosniff", r.Header.Get("X-Content-Type-Options"), "%s %s", name, way)
			require.Equal(t, "sandbox", r.Header.Get("Content-Security-Policy"), "%s %s: scripts, forms and frames must have no rights", name, way)
			require.True(t, r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "", name)
		}
		s.must(remote.DeleteFile, "fileID", id)
	}
}

// connection takes files as the HTTP server's connections do.
type connection struct {
	*httptest.ResponseRecorder
	files int64 // bytes that came as a file
}

func (c *connection) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(c.ResponseRecorder, r)
	if part, ok := r.(*io.LimitedReader); ok {
		if _, ok = part.R.(*os.File); ok {
			c.files += n
		}
	}
	return n, err
}

// TestAFileIsSentWithoutCopies checks that the connection gets the file, so that the kernel sends it.
func TestAFileIsSentWithoutCopies(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	content := strings.Repeat("content ", 100_000)
	s.upload("0", "file", content)
	media := strings.TrimPrefix(s.must(remote.GetTree).attribute(t, "url"), s.http.URL)
	for part, want := range map[string]string{"": content, "bytes=100000-599999": content[100_000:600_000], "bytes=-10": content[len(content)-10:]} {
		r := httptest.NewRequest("GET", media, nil)
		if part != "" {
			r.Header.Set("Range", part)
		}
		w := &connection{ResponseRecorder: httptest.NewRecorder()}
		s.service.ServeHTTP(w, r)
		require.Equal(t, want, w.Body.String(), part)
		require.EqualValues(t, len(want), w.files, part)
	}
}
