package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"
)

// letters is endless content.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'A'
	}
	return len(p), nil
}

// peakMiB returns the peak memory of a process.
func peakMiB(t *testing.T, pid int) int {
	text := testrun.Must(os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)))(t)
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	require.NotNil(t, found)
	return testrun.Must(strconv.Atoi(string(found[1])))(t) >> 10
}

// TestStrangersCostLittle sends many requests without credentials that never end, with large
// parameters or content.
func TestStrangersCostLittle(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p, env := e.serving()
	address := testrun.Must(url.Parse(env["PAPERFS_URL"]))(t)
	before := peakMiB(t, p.cmd.Process.Pid)
	const requests, size = 24, 16 << 20
	for _, what := range []string{"Paper.asmx/GetPaperIDFromUrl", "Media.asmx/UploadFile"} {
		for range requests {
			conn := testrun.Must(net.Dial("tcp", address.Host))(t)
			defer conn.Close() // at the end, because all requests must be open at once
			require.NoError(t, conn.SetDeadline(time.Now().Add(testrun.Patience())))
			head := "POST /V2/" + what + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 30000000\r\n\r\n"
			testrun.Must(io.WriteString(conn, head+"parentID=0&name=f&"))(t)
			field := "url="
			if what == "Media.asmx/UploadFile" {
				field = "base64File="
			}
			testrun.Must(io.Copy(conn, io.MultiReader(strings.NewReader(field), io.LimitReader(letters{}, size))))(t)
		}
	}
	require.Less(t, peakMiB(t, p.cmd.Process.Pid)-before, 256, "MiB more memory; the strangers sent %d MiB", 2*requests*size>>20)
}

// TestServeLimitsAnAddress checks that an address is limited until good credentials come from it.
func TestServeLimitsAnAddress(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving("--address-requests", "1")
	var reply *http.Response
	require.Eventually(t, func() (limited bool) {
		var err error
		reply, err = http.Get(env["PAPERFS_URL"] + "/V2/Paper.asmx")
		require.NoError(t, err)
		reply.Body.Close()
		return reply.StatusCode == http.StatusTooManyRequests
	}, testrun.Patience(), time.Millisecond)
	require.NotEmpty(t, reply.Header.Get("Retry-After"))
	_, body := call(t, http.DefaultClient, env["PAPERFS_URL"], "Paper", "GetPaperIDFromUrl",
		url.Values{"plUsername": {env["PAPERFS_USERNAME"]}, "plPassword": {env["PAPERFS_PASSWORD"]}, "url": {"/"}})
	require.Contains(t, body, "SUCCESS")
	for range 30 {
		reply := testrun.Must(http.Get(env["PAPERFS_URL"] + "/V2/Paper.asmx"))(t)
		reply.Body.Close()
		require.Equal(t, http.StatusOK, reply.StatusCode)
	}
	e.fail(cli.ExitUsage, "--address-requests", "serve", "--data", e.path("other"), "--address-requests", "-1")
}

func TestPrefixes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"127.0.0.1":            "127.0.0.1/32",
		"10.1.2.3/8":           "10.0.0.0/8",
		"2001:db8::7/64":       "2001:db8::/64",
		"::1":                  "::1/128",
		"::ffff:127.0.0.1":     "127.0.0.1/32",
		"::ffff:7f00:1":        "127.0.0.1/32",
		"::ffff:10.1.2.3/104":  "10.0.0.0/8",
		"::ffff:10.1.2.3/96":   "0.0.0.0/0",
		"::ffff:127.0.0.1/128": "127.0.0.1/32",
	} {
		all, err := prefixes([]string{text})
		require.NoError(t, err, text)
		require.Equal(t, []netip.Prefix{netip.MustParsePrefix(want)}, all, text)
	}
	for _, text := range []string{"", "proxy.example", "10.0.0.0/33", "fe80::1%eth0", "fe80::1%eth0/64", "::ffff:10.0.0.1%eth0", "::ffff:10.0.0.0/95", "::ffff:0.0.0.0/8"} {
		_, err := prefixes([]string{"10.0.0.0/8", text})
		var usage *cli.UsageError
		require.ErrorAs(t, err, &usage, text)
		require.ErrorContains(t, err, "--trusted-proxies", text)
	}
}

// TestProxiesWrittenInIPv6 checks that the service trusts the headers of such a proxy.
func TestProxiesWrittenInIPv6(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p, env := e.serving("--trusted-proxies", "::ffff:127.0.0.1")
	req := testrun.Must(http.NewRequest(http.MethodGet, env["PAPERFS_URL"]+"/nothing/", nil))(t)
	req.Header.Set("X-Forwarded-For", "203.0.113.7")
	require.NoError(t, testrun.Must(http.DefaultClient.Do(req))(t).Body.Close())
	p.says("from=203.0.113.7:0")
	e.fail(cli.ExitUsage, "without a zone", "serve", "--data", e.path("other"), "--listen", "127.0.0.1:0", "--trusted-proxies", "fe80::1%eth0")
}
