package apitest

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

const rawKind = "multipart/form-data; boundary=B"

// rawFields returns the parts of fields, given as name and value.
func rawFields(pairs ...string) (text string) {
	for i := 0; i < len(pairs); i += 2 {
		text += fmt.Sprintf("--B\r\nContent-Disposition: form-data; name=%q\r\n\r\n%s\r\n", pairs[i], pairs[i+1])
	}
	return text
}

const (
	rawFile = "--B\r\nContent-Disposition: form-data; name=\"base64File\"; filename=\"x\"\r\n\r\n"
	rawEnd  = "\r\n--B--\r\n"
)

func (s *server) rawUpload(name string, more ...string) string {
	return rawFields(append([]string{"username", s.user, "password", s.key, "parentID", "0", "name", name}, more...)...)
}

// multipart posts a body of multipart/form-data.
func (s *server) multipart(op *remote.Operation, body io.Reader) reply {
	s.t.Helper()
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+op.Path(), body))(s.t)
	req.Header.Set("Content-Type", rawKind)
	return s.do(req)
}

// TestRawContent uploads what a writer of the standard library makes, by each transport, with and without a length.
func TestRawContent(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper("1", "p")
	for protocol, way := range s.transports(t) {
		for _, size := range []int{0, 1, 5, 100 << 10, 3 << 20} {
			for _, told := range []bool{true, false} {
				content := bytes.Repeat([]byte("\r\n--\xff\x00+%&="), size/10+1)[:size]
				name := fmt.Sprint(strings.TrimPrefix(protocol, "HTTP/"), size, told)
				var body bytes.Buffer
				w := multipart.NewWriter(&body)
				for _, pair := range [][2]string{{"username", s.user}, {"password", s.key}, {"parentID", "0"}, {"name", name}} {
					require.NoError(t, w.WriteField(pair[0], pair[1]))
				}
				p := testrun.Must(w.CreateFormFile("base64File", "Ü.png"))(t)
				testrun.Must(p.Write(content))(t)
				require.NoError(t, w.Close())
				var sent io.Reader = &body
				if !told {
					sent = struct{ io.Reader }{sent}
				}
				_, text := testrun.Must2(way.send(t, "POST", remote.UploadFile.Path(), w.FormDataContentType(), sent))(t)
				require.Contains(t, text, "SUCCESS")
				fileID, _, _ := strings.Cut(text[strings.Index(text, "<fileid>")+len("<fileid>"):], "<")
				require.Equal(t, string(content), s.call(remote.GetContent, "fileID", fileID).body)
			}
		}
		body := rawFields("plUsername", s.user, "plPassword", s.key, "paperID", paper, "xmlOptions", "") +
			strings.Replace(rawFile, "File", "Pdf", 1) + string(pdftest.Text(protocol)) + rawEnd
		_, text := testrun.Must2(way.send(t, "POST", remote.ProcessPDF.Path(), rawKind, strings.NewReader(body)))(t)
		require.Contains(t, text, "jobGuid")
		s.idle()
	}
}

// TestCurlSendsRawContent is how a person does it.
func TestCurlSendsRawContent(t *testing.T) {
	t.Parallel()
	s := start(t)
	file := filepath.Join(t.TempDir(), `a;"b",c.png`)
	require.NoError(t, os.WriteFile(file, []byte("\x89PNG\r\n--"), 0o600))
	quoted := `base64File=@"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(file) + `"`
	out, err := exec.Command(testrun.Program(t, "curl"), "-sS", "-F", "username="+s.user, "-F", "password="+s.key, "-F", "parentID=0", "-F", "name=a.png",
		"-F", quoted, s.http.URL+remote.UploadFile.Path()).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "SUCCESS")
	require.Equal(t, "\x89PNG\r\n--", s.get(s.must(remote.GetTree).attribute(t, "url")).body)
}

// TestRawContentThatIsRefused checks that what is not whole, or not as it has to be, is an ERROR in words and stores nothing.
func TestRawContentThatIsRefused(t *testing.T) {
	t.Parallel()
	s := start(t)
	fields := s.rawUpload("f")
	for _, content := range []string{"eHg=", strings.Repeat("x", 1<<20)} { // form's TestMultipart has the words of every fault
		r := s.multipart(remote.UploadFile, strings.NewReader(fields+rawFile+content+rawEnd+"x"))
		require.Equal(t, remote.Failure, r.code, r.body)
		require.Contains(t, r.words, "follows the closing delimiter")
	}
	for _, kind := range []string{"multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=" + strings.Repeat("x", 71), "multipart/form-data; boundary"} {
		req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+remote.UploadFile.Path(), strings.NewReader(fields+rawFile+rawEnd)))(t)
		req.Header.Set("Content-Type", kind)
		r := s.do(req)
		require.Equal(t, remote.Failure, r.code, kind)
		require.Contains(t, r.words, "boundary")
	}
	wrong := rawFields("username", s.user, "password", "wrong", "parentID", "0", "name", "f")
	require.Equal(t, remote.LoginSecurityViolation, s.multipart(remote.UploadFile, strings.NewReader(wrong+rawFile+"cut")).code, "credentials are judged first")
	require.Equal(t, "Missing parameter: name.\r\n", s.multipart(remote.UploadFile, strings.NewReader(strings.Replace(wrong, `"name"`, `"nam"`, 1)+rawFile+"x"+rawEnd)).body)
	require.Equal(t, "Missing parameter: base64File.\r\n", s.multipart(remote.UploadFile, strings.NewReader(fields+"--B--")).body)
	require.Equal(t, "Request format is invalid: "+rawKind+".\r\n", s.multipart(remote.CreateDirectory, strings.NewReader(fields+"--B--")).body)
	require.Zero(t, s.contents())
	require.NotContains(t, s.must(remote.GetTree).data, "<file")

	s.inside().Options.NoExtended = true // as services do that have nothing of their own
	require.Equal(t, "Request format is invalid: "+rawKind+".\r\n", s.multipart(remote.UploadFile, strings.NewReader(fields+rawFile+rawEnd)).body)
}

// TestEndlessRawUploads checks what is refused before the content is received.
func TestEndlessRawUploads(t *testing.T) {
	t.Parallel()
	s := start(t)
	version := s.must(remote.UploadFile, "parentID", "0", "name", "taken", "base64File", "aGk=", "ifVersion", "none").data
	require.Contains(t, version, "<version>")
	for name, c := range map[string]struct {
		head string
		code remote.Code
	}{
		"wrong password": {rawFields("username", s.user, "password", "wrong", "parentID", "0", "name", "f") + rawFile, remote.LoginSecurityViolation},
		"no password":    {rawFields("username", s.user, "parentID", "0", "name", "f") + rawFile, ""},
		"a conflict":     {s.rawUpload("taken", "ifVersion", "none") + rawFile, remote.VersionConflict},
		"a long header":  {s.rawUpload("f") + "--B\r\nX: ", remote.Failure},
	} {
		body := &endless{head: strings.NewReader(c.head)}
		r := s.multipart(remote.UploadFile, body)
		require.Equal(t, c.code, r.code, name)
		require.Less(t, body.taken.Load(), int64(64<<20), name)
	}
	require.NoError(t, s.admin().SetReadOnly(true))
	require.Equal(t, remote.ReadOnly, s.multipart(remote.UploadFile, &endless{head: strings.NewReader(s.rawUpload("f") + rawFile)}).code)
	require.Equal(t, 1, s.contents())
}

// TestARawUploadThatIsCutStoresNothing ends connections before and behind the delimiter, but before the end of the body.
func TestARawUploadThatIsCutStoresNothing(t *testing.T) {
	t.Parallel()
	s := start(t)
	whole := s.rawUpload("f") + rawFile + strings.Repeat("x", 200_000) + rawEnd
	for _, framing := range []string{fmt.Sprintf("Content-Length: %d\r\n\r\n", len(whole)+2), fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", len(whole)+2)} {
		for _, sent := range []string{whole[:len(whole)-100], whole} {
			conn := testrun.Must(net.Dial("tcp", s.http.Listener.Addr().String()))(t)
			_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\n%s%s", remote.UploadFile.Path(), s.http.Listener.Addr(), rawKind, framing, sent)
			require.NoError(t, err)
			require.NoError(t, conn.(*net.TCPConn).CloseWrite())
			require.NotContains(t, string(testrun.Must(io.ReadAll(conn))(t)), "SUCCESS")
			require.NoError(t, conn.Close())
		}
	}
	require.Zero(t, s.contents())
	require.NotContains(t, s.must(remote.GetTree).data, "<file")
}

// TestAnUploadWhoseClientSendsNoMoreIsAnswered ends the sending half of connections right behind the body.
func TestAnUploadWhoseClientSendsNoMoreIsAnswered(t *testing.T) {
	t.Parallel()
	s := start(t)
	for n := range 10 {
		for kind, body := range map[string]string{
			rawKind:                             s.rawUpload(fmt.Sprint("raw", n)) + rawFile + strings.Repeat("x", 200_000) + rawEnd,
			"application/x-www-form-urlencoded": s.credentials(remote.UploadFile).Encode() + "&parentID=0&name=form" + fmt.Sprint(n) + "&base64File=" + strings.Repeat("QUJD", 50_000),
		} {
			conn := testrun.Must(net.Dial("tcp", s.http.Listener.Addr().String()))(t)
			_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", remote.UploadFile.Path(), kind, len(body), body)
			require.NoError(t, err)
			require.NoError(t, conn.(*net.TCPConn).CloseWrite())
			require.Contains(t, string(testrun.Must(io.ReadAll(conn))(t)), "SUCCESS", kind)
			require.NoError(t, conn.Close())
		}
	}
	require.Equal(t, 20, s.contents())
}
