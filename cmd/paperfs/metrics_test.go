package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestMetricsOfAMount checks that the page has the metrics of .paperfs/metrics, and answers only to
// names of this machine.
func TestMetricsOfAMount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.fail(cli.ExitUsage, "--metrics-listen 0.0.0.0:0: give a loopback address", "mount", "--metrics-listen", "0.0.0.0:0", e.path("ipaper"))
	require.NoDirExists(t, e.path("ipaper"))
	p := e.mount("--metrics-listen", "127.0.0.1:0")
	e.must("ls papers media > /dev/null") // otherwise there are no metrics of a tree
	_, address, _ := strings.Cut(p.says("paperfs: /metrics at "), " at ")
	reply := testrun.Must(http.Get("http://" + address + "/metrics"))(t)
	text, err := io.ReadAll(reply.Body)
	reply.Body.Close()
	require.NoError(t, err)
	names := func(text string) (names []string) {
		for line := range strings.Lines(text) {
			if name, ok := strings.CutPrefix(line, "# HELP "); ok {
				names = append(names, name)
			}
		}
		return names
	}
	require.NotEmpty(t, names(string(text)))
	require.Equal(t, names(e.must("cat .paperfs/metrics")), names(string(text)))

	request := httptest.NewRequest(http.MethodGet, "http://"+address+"/metrics", nil)
	request.RequestURI, request.Host = "", "evil.example"
	reply = testrun.Must(http.DefaultClient.Do(request))(t)
	reply.Body.Close()
	require.Equal(t, http.StatusMisdirectedRequest, reply.StatusCode)
	p.signal(syscall.SIGTERM)
	require.Equal(t, cli.ExitOK, p.wait())
}
