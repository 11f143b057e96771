package servicetest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// echo is a service that counts and reports what reached it.
func echo(t *testing.T) (target string, reached *atomic.Int64) {
	reached = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		reached.Add(1)
		fmt.Fprintf(w, "%s %s %s %s", r.Method, r.Host, r.URL.Path, body)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/base", reached
}

func call(p *Proxy, op *remote.Operation) (status int, body string, err error) {
	resp, err := http.PostForm(p.URL+op.Path(), url.Values{"a": {"1"}})
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), err
}

func TestProxyPassesAndCounts(t *testing.T) {
	t.Parallel()
	target, _ := echo(t)
	p := NewProxy(t, target)
	status, body := testrun.Must2(call(p, remote.GetAllPapers))(t)
	require.Equal(t, 200, status)
	require.Equal(t, "POST "+strings.TrimSuffix(strings.TrimPrefix(p.URL, "http://"), "/base")+" /base/V2/Paper.asmx/GetAllPapers a=1", body)
	resp := testrun.Must(http.Get(p.URL + "/file?x=1"))(t)
	resp.Body.Close()
	require.Equal(t, 1, p.Count(remote.GetAllPapers))
	require.Equal(t, 0, p.Count(remote.GetSetting))
	require.Equal(t, 2, p.Count(nil))
	require.Equal(t, 1, p.Total())
	require.Equal(t, 1, p.Downloads())
	require.Equal(t, []Request{{remote.GetAllPapers, "POST", "/base/V2/Paper.asmx/GetAllPapers"}, {nil, "GET", "/base/file?x=1"}}, p.Requests())
	p.Reset()
	require.Zero(t, p.Count(nil))
}

func TestProxyFails(t *testing.T) {
	t.Parallel()
	target, reached := echo(t)
	p := NewProxy(t, target)
	p.Fail(remote.GetSetting, 1, 503)
	status, _, err := call(p, remote.GetAllPapers)
	require.NoError(t, err)
	require.Equal(t, 200, status)
	status, _ = testrun.Must2(call(p, remote.GetSetting))(t)
	require.Equal(t, 503, status)
	status, _, err = call(p, remote.GetSetting)
	require.NoError(t, err)
	require.Equal(t, 200, status)
	require.EqualValues(t, 2, reached.Load())

	p.Fail(nil, -1, 429)
	for range 3 {
		status, _, err = call(p, remote.GetAllPapers)
		require.NoError(t, err)
		require.Equal(t, 429, status)
	}
	p.Heal()
	status, _ = testrun.Must2(call(p, remote.GetAllPapers))(t)
	require.Equal(t, 200, status)
}

func TestProxyCutsTheReplyAfterTheEffect(t *testing.T) {
	t.Parallel()
	target, reached := echo(t)
	p := NewProxy(t, target)
	p.Cut(remote.CreatePaper, 1, 0)
	_, _, err := call(p, remote.CreatePaper)
	require.Error(t, err)
	require.EqualValues(t, 1, reached.Load())
	p.Cut(remote.CreatePaper, 1, 4)
	_, body, err := call(p, remote.CreatePaper)
	require.Error(t, err)
	require.Equal(t, "POST", body)
	require.EqualValues(t, 2, reached.Load())
}

func TestProxyCutsTheRequestBeforeTheEffect(t *testing.T) {
	t.Parallel()
	target, reached := echo(t)
	p := NewProxy(t, target)
	p.CutRequest(remote.UploadFile, 1, 2)
	_, _, err := call(p, remote.UploadFile)
	require.Error(t, err)
	require.Zero(t, reached.Load())
	testrun.Must2(call(p, remote.UploadFile))(t)
}

func TestProxyFreezes(t *testing.T) {
	t.Parallel()
	target, reached := echo(t)
	p := NewProxy(t, target)
	release := p.Freeze(remote.GetTree)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { call(p, remote.GetTree) })
	}
	require.Eventually(t, func() bool { return p.Count(remote.GetTree) == 3 }, testrun.Patience(), time.Millisecond)
	require.Zero(t, reached.Load())
	release()
	wg.Wait()
	require.EqualValues(t, 3, reached.Load())
}

func TestProxyGarblesAndAnswers(t *testing.T) {
	t.Parallel()
	target, reached := echo(t)
	p := NewProxy(t, target)
	p.Garble(remote.GetTree, "<html>")
	_, body, err := call(p, remote.GetTree)
	require.NoError(t, err)
	require.Equal(t, "<html>", body)
	require.EqualValues(t, 1, reached.Load())
	p.Answer(remote.GetLinks, func(w http.ResponseWriter, r *http.Request) bool {
		io.WriteString(w, "here")
		return true
	})
	_, body = testrun.Must2(call(p, remote.GetLinks))(t)
	require.Equal(t, "here", body)
	require.EqualValues(t, 1, reached.Load())
}

func TestProxyGoesDownAndUp(t *testing.T) {
	t.Parallel()
	target, _ := echo(t)
	p := NewProxy(t, target)
	p.Down()
	_, _, err := call(p, remote.GetTree)
	require.ErrorContains(t, err, "refused")
	p.Up()
	testrun.Must2(call(p, remote.GetTree))(t)
}
