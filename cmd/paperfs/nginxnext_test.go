package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

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
