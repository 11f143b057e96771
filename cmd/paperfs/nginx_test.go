package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
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
