package apitest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// dial opens a connection to the service.
func (s *server) dial() net.Conn {
	address := testrun.Must(url.Parse(s.http.URL))(s.t)
	conn := testrun.Must(net.Dial("tcp", address.Host))(s.t)
	s.t.Cleanup(func() { conn.Close() })
	require.NoError(s.t, conn.SetDeadline(time.Now().Add(testrun.Patience())))
	return conn
}

const head = "POST /V2/Media.asmx/UploadFile HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n%s\r\n"

// TestLinger checks that a client that reads its answer only after it has sent a large body gets
// the answer, and then the end of the connection.
func TestLinger(t *testing.T) {
	t.Parallel()
	s := start(t)
	wrong := params("username", s.user, "password", "wrong").Encode() + "&parentID=0&name=f&base64File="
	for _, size := range []int{300_000, 3_000_000, 30_000_000} {
		conn := s.dial()
		testrun.Must(fmt.Fprintf(conn, head, len(wrong)+size, "Connection: close\r\n"))(t)
		_, err := io.Copy(conn, io.MultiReader(strings.NewReader(wrong), io.LimitReader(letters{}, int64(size))))
		require.NoError(t, err, "the service keeps reading")
		answer, err := io.ReadAll(conn)
		require.NoError(t, err, "the connection ends cleanly")
		require.Contains(t, string(answer), "LOGIN_SECURITY_VIOLATION")
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'A'
	}
	return len(p), nil
}

// TestNoLingerForABodyThatIsNotSent checks that a client that waits for 100 Continue before
// its body gets the final answer instead.
func TestNoLingerForABodyThatIsNotSent(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, body := range []int{400_000_000, 1000} {
		conn := s.dial()
		testrun.Must(fmt.Fprintf(conn, strings.Replace(head, "UploadFile", "GetTree", 1), body, "Expect: 100-continue\r\nContent-Encoding: gzip\r\n"))(t)
		require.GreaterOrEqual(t, testrun.Must(http.ReadResponse(bufio.NewReader(conn), nil))(t).StatusCode, 400)
	}
}

// early is a request that the service can answer long before its end.
type early struct {
	name  string
	login string // before the content
	after string // after the content
	want  string // part of the answer
}

// TestEarlyAnswersReachOrdinaryClients checks that ordinary programs show why a large upload is
// refused.
func TestEarlyAnswersReachOrdinaryClients(t *testing.T) {
	t.Parallel()
	s := start(t)
	secure := httptest.NewUnstartedServer(s.service)
	secure.EnableHTTP2 = true
	secure.StartTLS()
	defer secure.Close()
	good := s.credentials(remote.UploadFile).Encode()
	s.setUnadmitted(1 << 20)
	cases := []early{
		{"wrong key", params("username", s.user, "password", "wrong").Encode(), "", "LOGIN_SECURITY_VIOLATION"},
		{"content first", "", good, "before the content"},
		{"readonly", good, "", "READONLY"},
	}
	plain, tls := s.http.URL+remote.UploadFile.Path(), secure.URL+remote.UploadFile.Path()
	dir := t.TempDir()
	for _, c := range cases {
		if c.name == "readonly" {
			require.NoError(t, s.admin().SetReadOnly(true))
		}
		file := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-"))
		f := testrun.Must(os.Create(file))(t)
		_, err := io.Copy(f, io.MultiReader(strings.NewReader(c.login+"&parentID=0&name=f&base64File="), io.LimitReader(letters{}, 12<<20), strings.NewReader("&"+c.after)))
		require.NoError(t, err)
		require.NoError(t, f.Close())
		for name, command := range map[string][]string{
			"curl":         {testrun.Program(t, "curl"), "-sS", "--http1.1", "--data-binary", "@" + file, plain},
			"curl, TLS":    {testrun.Program(t, "curl"), "-sSk", "--http1.1", "--data-binary", "@" + file, tls},
			"curl, HTTP/2": {testrun.Program(t, "curl"), "-sSk", "--http2", "--data-binary", "@" + file, tls},
			"python":       {testrun.Program(t, "python3"), "-c", pythonClient, plain, file},
			"php":          {testrun.Program(t, "php"), "-r", phpClient, plain, file},
			"node":         {testrun.Program(t, "node"), "-e", nodeClient, plain, file},
		} {
			if c.name != "wrong key" && !strings.HasPrefix(name, "curl") && !testrun.All() {
				continue // the answer comes as early, for another reason
			}
			if name == "php" && exec.Command(command[0], "-r", "exit(function_exists('curl_init') ? 0 : 1);").Run() != nil {
				t.Log("php has no curl")
				continue
			}
			out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput()
			require.NoError(t, err, "%s, %s: %s", name, c.name, out)
			require.Contains(t, string(out), c.want, "%s, %s", name, c.name)
		}
	}
}

const pythonClient = `
import sys, http.client, urllib.parse
u = urllib.parse.urlsplit(sys.argv[1])
c = http.client.HTTPConnection(u.netloc)
c.request("POST", u.path, open(sys.argv[2], "rb").read(), {"Content-Type": "application/x-www-form-urlencoded"})
print(c.getresponse().read().decode())
`

const phpClient = `
$c = curl_init($argv[1]);
curl_setopt_array($c, [CURLOPT_POSTFIELDS => file_get_contents($argv[2]), CURLOPT_RETURNTRANSFER => true]);
$r = curl_exec($c);
if ($r === false) { fwrite(STDERR, curl_error($c)); exit(1); }
echo $r;
`

const nodeClient = `
const [url, file] = process.argv.slice(-2);
fetch(url, {method: "POST", body: require("fs").readFileSync(file), headers: {"Content-Type": "application/x-www-form-urlencoded"}})
  .then(r => r.text()).then(t => console.log(t)).catch(e => { console.error(e, e.cause); process.exit(1); });
`
