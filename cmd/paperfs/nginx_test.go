package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// certificate creates cert.pem and key.pem for this machine.
func (e *environment) certificate() {
	made := exec.Command(testrun.Program(e.t, "openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
		"-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", e.path("key.pem"), "-out", e.path("cert.pem"))
	out, err := made.CombinedOutput()
	require.NoError(e.t, err, "%s", out)
}

// nginx starts a proxy as `paperfs help proxies` prints it, which passes /papers/ to a service, with TLS, and returns its address.
func (e *environment) nginx(upstream string) string {
	t := e.t
	program := testrun.Program(t, "nginx", "/usr/sbin/nginx")
	e.certificate()
	free := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := free.Addr().String()
	require.NoError(t, free.Close())
	server := strings.NewReplacer("443", address, "/etc/nginx", e.home, "location / ", "location /papers/ ", "http://127.0.0.1:8080", upstream).
		Replace(indented(t, "topic/proxies.md", "## nginx")[0])
	require.NoError(t, os.WriteFile(e.path("nginx.conf"), fmt.Appendf(nil, `
daemon off;
master_process off;
pid %[1]s/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path %[1]s/nginx-body;
  proxy_temp_path %[1]s/nginx-proxy;
  fastcgi_temp_path %[1]s/nginx-fastcgi;
  uwsgi_temp_path %[1]s/nginx-uwsgi;
  scgi_temp_path %[1]s/nginx-scgi;
%[2]s
}
`, e.home, server), 0o600))
	p := e.launch(programtest.Command(t, 0, program, "-p", e.home, "-e", "stderr", "-c", e.path("nginx.conf")))
	require.Eventually(t, func() bool {
		select {
		case <-p.ended:
			t.Fatalf("nginx ended: %s", p.stderr)
		default:
		}
		c, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			c.Close()
		}
		return err == nil
	}, testrun.Patience(), 5*time.Millisecond)
	_, port, _ := net.SplitHostPort(address)
	return "https://localhost:" + port + "/papers"
}

// origin returns an address's scheme and host.
func origin(address string) string { return regexp.MustCompile(`^https?://[^/]+`).FindString(address) }

// trusting returns a client that trusts nginx's certificate.
func (e *environment) trusting() *http.Client {
	pem := testrun.Must(os.ReadFile(e.path("cert.pem")))(e.t)
	pool := x509.NewCertPool()
	require.True(e.t, pool.AppendCertsFromPEM(pem))
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
}

// TestBehindNginx checks the base path, TLS and the client's address.
func TestBehindNginx(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p, env := e.serving("--base-path", "/papers", "--trusted-proxies", "127.0.0.1,10.0.0.0/8")
	public := e.nginx(origin(env["PAPERFS_URL"]))
	client := e.trusting()
	ask := func(group, operation string, pairs ...string) string {
		t.Helper()
		name, key := []string{env["PAPERFS_USERNAME"]}, []string{env["PAPERFS_PASSWORD"]}
		form := url.Values{"username": name, "plUsername": name, "password": key, "plPassword": key}
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		status, body := call(t, client, public, group, operation, form)
		require.Equal(t, http.StatusOK, status, body)
		require.Contains(t, body, "SUCCESS")
		return body
	}
	ask("Media", "UploadFile", "parentID", "0", "name", "a b.txt", "base64File", "aGk=")
	tree := ask("Media", "GetTree")
	address := regexp.MustCompile(` url="([^"]*)"`).FindStringSubmatch(tree)
	require.Len(t, address, 2)
	require.True(t, strings.HasPrefix(address[1], public+"/media/"), address[1])
	get := func(address string, header ...string) int {
		t.Helper()
		req := testrun.Must(http.NewRequest(http.MethodGet, address, nil))(t)
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		reply := testrun.Must(client.Do(req))(t)
		reply.Body.Close()
		return reply.StatusCode
	}
	require.Equal(t, http.StatusOK, get(address[1]))

	ask("Paper", "CreatePaper", "parentID", "1", "name", "z", "urlName", "z")
	require.Equal(t, http.StatusOK, get(public+"/z"), "the client follows the redirect to the address with a slash")
	ask("Paper", "SetPublicationPeriod", "paperID", "2", "from", "2020-01-01", "to", "2021-01-01")
	preview := func(ip string) string {
		body := ask("Paper", "CreatePreviewToken", "paperID", "2", "validityMinutes", "5", "ip", ip)
		return public + "/z/?SecurityToken=" + regexp.MustCompile(`[0-9a-f-]{36}`).FindString(body)
	}
	require.Equal(t, http.StatusOK, get(preview("127.0.0.1")))
	theirs := preview("203.0.113.7")
	require.Equal(t, http.StatusUnauthorized, get(theirs))
	require.Equal(t, http.StatusUnauthorized, get(theirs, "Forwarded", "for=203.0.113.7"), "nginx removes the header")
	// The client is on this machine, and so among the trusted proxies. To look like a remote
	// client, it sends the header that nginx would send.
	require.Equal(t, http.StatusOK, get(theirs, "X-Forwarded-For", "203.0.113.7"))
	p.says("from=203.0.113.7:0")

	wsdl := regexp.MustCompile(`soap:address location="([^"]*)"`)
	reply, err := client.Get(public + "/V2/Paper.asmx?WSDL")
	require.NoError(t, err)
	defer reply.Body.Close()
	text := make([]byte, 1<<20)
	n := 0
	for err == nil {
		var got int
		got, err = reply.Body.Read(text[n:])
		n += got
	}
	require.Equal(t, public+"/V2/Paper.asmx", wsdl.FindStringSubmatch(string(text[:n]))[1])
}

// TestMountBehindNginx mounts a service with a base path and TLS.
func TestMountBehindNginx(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving("--base-path", "/papers", "--trusted-proxies", "127.0.0.1")
	public := e.nginx(origin(env["PAPERFS_URL"]))
	e.set("PAPERFS_URL", public)
	e.set("PAPERFS_USERNAME", env["PAPERFS_USERNAME"])
	e.set("PAPERFS_PASSWORD", env["PAPERFS_PASSWORD"])
	options := []string{"--ca-file", e.path("cert.pem"), "--public-url", public, "--rpm", "0"}
	e.mount(options...)
	e.must("mkdir papers/A.paper; head -c 3000000 /dev/urandom > media/large; echo 60 127.0.0.1 > papers/A.paper/preview")
	require.Contains(t, e.must("cat papers/A.paper/preview"), public+"/a/?SecurityToken=")
	require.Equal(t, "3000000\n", e.must("wc -c < media/large"))
	require.Contains(t, e.must("cat papers/A.paper/url"), "/a/")
	e.must("cp media/large ..")
	e.succeed("umount", e.path("ipaper"))
	require.NoError(t, os.RemoveAll(e.path(".cache")))
	e.mount(options...)
	e.must("tail -c 200000 media/large > ../tail; tail -c 200000 ../large | cmp - ../tail && cmp media/large ../large")
	e.succeed("umount", e.path("ipaper"))
}

// nextNode is a node behind nginx that gives all calls the same answer, and notes them.
type nextNode struct {
	status int // 0: it ends the connection instead

	mu    sync.Mutex // guards calls
	calls []string   // method, path and body
}

func (n *nextNode) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	n.mu.Lock()
	n.calls = append(n.calls, r.Method+" "+r.URL.Path+" "+string(body))
	n.mu.Unlock()
	if n.status == 0 {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Retry-After", "5")
	w.WriteHeader(n.status)
}

// got returns how often the node got a call.
func (n *nextNode) got(call string) (times int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, one := range n.calls {
		if one == call {
			times++
		}
	}
	return times
}

// TestNginxAsksTheNextNode runs the topic's nginx.conf in front of a node that fails and another.
// After 503, a small call gets its answer from the other node, which gets all of it; no POST is
// sent again after another failure, and no upload.
func TestNginxAsksTheNextNode(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "nginx", "/usr/sbin/nginx")
	const unavailable, unsure, broken, fine = http.StatusServiceUnavailable, http.StatusGatewayTimeout, 0, http.StatusOK
	long := strings.Repeat("a=b&", 50_000)
	const tries = 4 // nginx takes the nodes in turn
	for name, one := range map[string]struct {
		first, second int
		method, path  string
		body          string
		passed        bool // the second node gets what the first one failed to answer
		answer        int  // where it is not passed
	}{
		"a page":              {unavailable, fine, "GET", "/spring/", "", true, 0},
		"a call by GET":       {unavailable, fine, "GET", "/V2/Paper.asmx/GetSetting", "", true, 0},
		"a change":            {unavailable, fine, "POST", "/V2/Paper.asmx/CreatePaper", "name=a", true, 0},
		"a long change":       {unavailable, fine, "POST", "/v2/customfield.asmx/SetMultipleCustomFieldValues", long, true, 0},
		"an unsure change":    {unsure, fine, "POST", "/V2/Paper.asmx/CreatePaper", "name=a", false, unsure},
		"a node that fails":   {broken, fine, "POST", "/V2/Paper.asmx/CreatePaper", "name=a", false, http.StatusBadGateway},
		"an upload":           {unavailable, fine, "POST", "/V2/Media.asmx/UploadFile", long, false, unavailable},
		"a PDF":               {unavailable, fine, "POST", "/V2/Ripper.asmx/ProcessPDF", long, false, unavailable},
		"SOAP":                {unavailable, fine, "POST", "/V2/Paper.asmx", "<a/>", false, unavailable},
		"no node at all":      {unavailable, unavailable, "POST", "/V2/Paper.asmx/CreatePaper", "name=a", true, 0},
		"the next one unsure": {unavailable, unsure, "POST", "/V2/Paper.asmx/CreatePaper", "name=a", true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, second := &nextNode{status: one.first}, &nextNode{status: one.second}
			var addresses []string
			for _, node := range []*nextNode{first, second} {
				s := httptest.NewServer(node)
				t.Cleanup(s.Close)
				addresses = append(addresses, strings.TrimPrefix(s.URL, "http://"))
			}
			c := &cluster{environment: newEnvironment(t)}
			url := c.balancer(indented(t, "topic/cluster.md", "## Two nodes behind nginx")[1], addresses[0], addresses[1])["PAPERFS_URL"]
			call := one.method + " " + one.path + " " + one.body
			for range tries {
				before, beside := first.got(call), second.got(call)
				r := request(t, one.method, url+one.path, one.body)
				asked, next := first.got(call)-before, second.got(call)-beside
				require.LessOrEqual(t, asked, 1)
				require.LessOrEqual(t, next, 1)
				switch {
				case asked == 0 || one.passed:
					require.Equal(t, 1, next)
					require.Equal(t, one.second, r.StatusCode)
				default:
					require.Equal(t, 0, next)
					require.Equal(t, one.answer, r.StatusCode)
				}
				if r.StatusCode == unavailable || r.StatusCode == unsure {
					require.Equal(t, "5", r.Header.Get("Retry-After"))
					break // both nodes may rest now
				}
			}
			require.NotZero(t, first.got(call), "the node that fails was not asked")
		})
	}
}

// request sends a request, and drops the body of the answer.
func request(t *testing.T, method, url, body string) *http.Response {
	t.Helper()
	r := testrun.Must(http.NewRequest(method, url, strings.NewReader(body)))(t)
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer := testrun.Must(http.DefaultClient.Do(r))(t)
	require.NoError(t, answer.Body.Close())
	return answer
}
