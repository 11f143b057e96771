package apitest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
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

// TestBase64OfAClientThatForgetsToEncode checks that the service either stores what the client
// meant, or says what is probably wrong.
func TestBase64OfAClientThatForgetsToEncode(t *testing.T) {
	t.Parallel()
	s := start(t)
	random := rand.NewChaCha8([32]byte{2})
	login := s.credentials(remote.UploadFile).Encode()
	refused := 0
	for range 400 {
		content := make([]byte, 120)
		_, _ = random.Read(content)
		text := base64.StdEncoding.EncodeToString(content)
		r := s.raw(remote.UploadFile, login+"&parentID=0&name=f&base64File="+text)
		if strings.Contains(text, "+") {
			refused++
			require.Equal(t, remote.Failure, r.code, text)
			require.Contains(t, r.words, "a space, probably a + that is not percent-encoded as %2B")
			continue
		}
		require.Equal(t, remote.Success, r.code, text)
		require.Equal(t, string(content), s.get(s.must(remote.GetTree).attribute(t, "url")).body)
	}
	require.Greater(t, refused, 100)

	curl := exec.Command(testrun.Program(t, "curl"), "-sS", "--data-raw", login+"&parentID=0&name=f&base64File=++++QUJD", s.http.URL+remote.UploadFile.Path())
	out, err := curl.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "%2B")
}

// raw posts a form body as written.
func (s *server) raw(op *remote.Operation, body string) reply {
	s.t.Helper()
	req, err := http.NewRequest(http.MethodPost, s.http.URL+op.Path(), strings.NewReader(body))
	require.NoError(s.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.do(req)
}

func TestUploadFieldsInAnyOrder(t *testing.T) {
	t.Parallel()
	s := start(t)
	login := s.credentials(remote.UploadFile).Encode()
	for i, body := range []string{
		login + "&parentID=0&name=f&base64File=MA%3D%3D",
		"base64File=MQ%3D%3D&name=f&parentID=0&" + login,
		"name=f&base64File=Mg%3D%3D&" + login + "&parentID=0",
		login + "&BASE64file=eHg%3D&name=f&parentID=0&base64File=Mw%3D%3D",
	} {
		require.Equal(t, remote.Success, s.raw(remote.UploadFile, body).code, body)
		require.Equal(t, fmt.Sprint(i), s.get(s.must(remote.GetTree).attribute(t, "url")).body)
	}
	require.Equal(t, remote.Failure, s.raw(remote.UploadFile, login+"&parentID=0&name=f&base64File=MA%3D%3D&base64File=MA%3D%3D").code)
	wrong := params("username", s.user, "password", "wrong").Encode()
	require.Equal(t, remote.LoginSecurityViolation, s.raw(remote.UploadFile, "base64File=*&parentID=0&name=f&"+wrong).code, "credentials are checked before content")
	require.Equal(t, remote.LoginSecurityViolation, s.raw(remote.UploadFile, login+"&base64File=MA%3D%3D&parentID=0&name=g&"+wrong).code, "repeated values are joined")
	require.Equal(t, "Missing parameter: name.\r\n", s.raw(remote.UploadFile, login+"&base64File=MA%3D%3D&parentID=0").body)
	require.Equal(t, 1, s.contents())
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
		req, err := http.NewRequest(http.MethodPost, s.http.URL+remote.UploadFile.Path(), body)
		require.NoError(t, err)
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
	req, err := http.NewRequest(http.MethodPost, s.http.URL+remote.UploadFile.Path(), pipe)
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	require.Equal(t, remote.Success, s.do(req).code)
	require.Equal(t, hex.EncodeToString(sum.Sum(nil)), s.must(remote.GetTree).attribute(t, "sha256"))
	bound := uint64(32 << 20)
	if s.place().Database() != "" { // PostgreSQL needs two parts of the upload and as much garbage
		bound = 48 << 20
	}
	require.Less(t, most-before, bound, "the heap grew by too many bytes")
}
