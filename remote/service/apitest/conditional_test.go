package apitest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// tagged requests a tree with If-None-Match and further headers.
func (s *server) tagged(method string, op *remote.Operation, tag string, header ...string) reply {
	s.t.Helper()
	form := s.credentials(op)
	if op == remote.GetAllPapers {
		form.Set("paperID", "1")
	}
	var req *http.Request
	var err error
	if method == http.MethodGet {
		req, err = http.NewRequest(method, s.http.URL+op.Path()+"?"+form.Encode(), nil)
	} else {
		req, err = http.NewRequest(method, s.http.URL+op.Path(), strings.NewReader(form.Encode()))
	}
	require.NoError(s.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if tag != "" {
		req.Header.Set("If-None-Match", tag)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return s.do(req)
}

func TestConditionalTrees(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.host = "papers.example" // the port changes after a restart
	changes := map[*remote.Operation][]func(){
		remote.GetAllPapers: {
			func() { s.paper("1", "one") },
			func() { s.must(remote.SetPublicationPeriod, "paperID", "2", "from", "2031-01-01", "to", "2031-02-01") },
			func() { s.must(remote.ChangePaperUrl, "paperID", "2", "newUrl", "other") },
			func() { s.must(remote.DeletePaper, "paperID", "2") },
			func() {
				require.NoError(t, setTenant(s.admin(), admin.TenantSettings{Name: "default", RootURL: "/acme/"}))
			},
		},
		remote.GetTree: {
			func() { s.upload("0", "a", "x") },
			func() { s.upload("0", "a", "y") },
			func() { s.must(remote.CreateDirectory, "parentID", "0", "name", "d") },
			func() { s.must(remote.DeleteFile, "fileID", "1") },
			func() { s.must(remote.DeleteDirectory, "directoryID", "1") },
			func() {
				require.NoError(t, setTenant(s.admin(), admin.TenantSettings{Name: "default", RootURL: "/acme/", PublicURL: "https://x.example"}))
			},
		},
	}
	understands := []string{"Prefer", "unchanged=412"}
	for _, op := range []*remote.Operation{remote.GetAllPapers, remote.GetTree} {
		tags := map[string]bool{}
		for i := 0; i <= len(changes[op]); i++ {
			if i > 0 {
				changes[op][i-1]()
			}
			full := s.tagged(http.MethodPost, op, "")
			tag := full.header.Get("ETag")
			require.Regexp(t, `^W/"[^"]{20,}"$`, tag)
			require.False(t, tags[tag], "the ETag must be new after every change")
			for old := range tags {
				require.Equal(t, full.body, s.tagged(http.MethodGet, op, old).body)
				require.Equal(t, full.body, s.tagged(http.MethodPost, op, old, understands...).body)
			}
			tags[tag] = true
			if i == 2 {
				s.reopen()
			}
			for _, header := range []string{tag, strings.TrimPrefix(tag, "W/"), `"x", ` + tag} {
				r := s.tagged(http.MethodGet, op, header, "Accept-Encoding", "gzip")
				require.Equal(t, http.StatusNotModified, r.status, "also after a restart")
				require.Empty(t, r.body)
				require.Equal(t, tag, r.header.Get("ETag"))
				r = s.tagged(http.MethodPost, op, header, understands...)
				require.Equal(t, http.StatusPreconditionFailed, r.status)
				require.Equal(t, tag, r.header.Get("ETag"))
				require.Equal(t, full.body, s.tagged(http.MethodPost, op, header).body, "a client that did not declare support gets the tree")
			}
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				r := s.as(s.user, "wrong").tagged(method, op, tag, understands...)
				require.Equal(t, remote.LoginSecurityViolation, r.code, "credentials are checked first")
				require.Empty(t, r.header.Get("ETag"))
			}
		}
	}
	// A change of one tree keeps the ETag of the other.
	nodes := s.tagged(http.MethodGet, remote.GetAllPapers, "").header.Get("ETag")
	s.upload("0", "b", "x")
	require.Equal(t, http.StatusNotModified, s.tagged(http.MethodGet, remote.GetAllPapers, nodes).status)
	media := s.tagged(http.MethodGet, remote.GetTree, "").header.Get("ETag")
	s.paper("1", "two")
	require.Equal(t, http.StatusNotModified, s.tagged(http.MethodGet, remote.GetTree, media).status)
	// Another form of the answer has another ETag.
	nodes = s.tagged(http.MethodGet, remote.GetAllPapers, "").header.Get("ETag")
	for _, change := range []func(){func() { s.options.RawTree = true }, func() { s.options.CDATA = answer.None }, func() { s.options.Namespace = "urn:x" }} {
		change()
		s.reopen()
		r := s.tagged(http.MethodGet, remote.GetAllPapers, nodes)
		require.Equal(t, http.StatusOK, r.status)
		nodes = r.header.Get("ETag")
	}
}

// TestCurlKeepsATree checks curl's own options for ETags.
func TestCurlKeepsATree(t *testing.T) {
	t.Parallel()
	s := start(t)
	dir := t.TempDir()
	path := testrun.Program(t, "curl")
	get := func() string {
		out := filepath.Join(dir, "out")
		require.NoError(t, os.WriteFile(out, nil, 0o600))
		form := s.credentials(remote.GetAllPapers)
		form.Set("paperID", "1")
		cmd := exec.Command(path, "-sS", "--etag-save", dir+"/tag", "--etag-compare", dir+"/tag", "-o", out, "-w", "%{http_code}", s.http.URL+remote.GetAllPapers.Path()+"?"+form.Encode())
		code, err := cmd.Output()
		require.NoError(t, err)
		return string(code)
	}
	require.NoError(t, os.WriteFile(dir+"/tag", nil, 0o600))
	require.Equal(t, "200", get())
	require.Equal(t, "304", get())
	s.paper("1", "new")
	require.Equal(t, "200", get())
	require.Equal(t, "304", get())
}

// TestValidatorsAfterARestore checks that a restored database never repeats an ETag, even after the
// same number of changes.
func TestValidatorsAfterARestore(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.place().Embedded(t, "it restores an older database")
	s.close()
	database := filepath.Join(s.data, "service.db")
	before, err := os.ReadFile(database)
	require.NoError(t, err)
	s.open()
	s.paper("1", "one")
	tag := s.tagged(http.MethodGet, remote.GetAllPapers, "").header.Get("ETag")
	s.close()
	require.NoError(t, os.WriteFile(database, before, 0o600))
	s.open()
	s.paper("1", "another")
	require.Equal(t, http.StatusOK, s.tagged(http.MethodGet, remote.GetAllPapers, tag).status)
}

// walks counts the walks through trees, and delays each until all expected clients have asked for
// the version.
type walks struct {
	store.Store
	count  atomic.Int64
	asked  atomic.Int64  // reads of the version
	enough int64         // expected reads
	all    chan struct{} // closed once asked reaches enough
}

func (w *walks) Read(ctx context.Context, f func(store.Reader) error) error {
	return w.Store.Read(ctx, func(tx store.Reader) error { return f(walksReader{tx, w}) })
}

type walksReader struct {
	store.Reader
	w *walks
}

func (r walksReader) TreeVersion(tenant int64) (int64, error) {
	defer func() {
		if r.w.asked.Add(1) == r.w.enough {
			close(r.w.all)
		}
	}()
	return r.Reader.TreeVersion(tenant)
}

func (r walksReader) Walk(id int64, visit func(store.Node, int) error) error {
	r.w.count.Add(1)
	<-r.w.all
	return r.Reader.Walk(id, visit)
}

// TestOneCallerMakesAnAnswer checks that twenty clients after one change share one walk.
func TestOneCallerMakesAnAnswer(t *testing.T) {
	t.Parallel()
	s := keeping(t, 300)
	root := s.root()
	w := &walks{enough: -1}
	s.wrapStore(func(inner store.Store) store.Store {
		w.Store = inner
		return w
	})
	for round := range 3 {
		s.paper(root, fmt.Sprint("new-", round))
		const clients = 20
		w.count.Store(0)
		w.asked.Store(0)
		w.enough, w.all = clients, make(chan struct{})
		var all sync.WaitGroup
		answers := make([]string, clients)
		for i := range clients {
			all.Go(func() {
				resp := s.ask(context.Background(), root, "gzip")
				defer resp.Body.Close()
				body, err := io.ReadAll(resp.Body)
				if err == nil {
					answers[i] = string(body)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 1, w.count.Load())
		require.NotEmpty(t, answers[0])
		for _, answer := range answers {
			require.True(t, answers[0] == answer, "all answers must be the same")
		}
	}
	s.noFiles()
}

// TestConditionsInAllForms checks the header forms that RFC 9110 and RFC 7240 allow.
func TestConditionsInAllForms(t *testing.T) {
	t.Parallel()
	s := start(t)
	full := s.tagged(http.MethodPost, remote.GetAllPapers, "")
	tag := full.header.Get("ETag")
	ask := func(method string, header http.Header) reply {
		t.Helper()
		form := s.credentials(remote.GetAllPapers)
		form.Set("paperID", "1")
		req, err := http.NewRequest(method, s.http.URL+remote.GetAllPapers.Path()+"?"+form.Encode(), nil)
		if method == http.MethodPost {
			req, err = http.NewRequest(method, s.http.URL+remote.GetAllPapers.Path(), strings.NewReader(form.Encode()))
		}
		require.NoError(t, err)
		req.Header = header
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return s.do(req)
	}
	strong := strings.TrimPrefix(tag, "W/")
	for _, c := range []struct {
		tags    []string
		matches bool
	}{
		{[]string{"*"}, true},
		{[]string{" * "}, true},
		{[]string{tag}, true},
		{[]string{strong}, true},
		{[]string{`"x",` + tag}, true},
		{[]string{`W/"x" , ` + strong + ` ,"y"`}, true},
		{[]string{`"x"`, tag}, true},
		{[]string{`"a,b", , ` + tag}, true},
		{[]string{`"x", "y"`}, false},
		{[]string{strings.Trim(strong, `"`)}, false},
		{[]string{`"*"`}, false},
		{[]string{`"x, ` + strings.Trim(strong, `"`) + `"`}, false},
		{[]string{""}, false},
	} {
		want := http.StatusOK
		if c.matches {
			want = http.StatusNotModified
		}
		require.Equal(t, want, ask(http.MethodGet, http.Header{"If-None-Match": c.tags}).status, "%q", c.tags)
		if c.matches {
			want = http.StatusPreconditionFailed
		}
		require.Equal(t, want, ask(http.MethodPost, http.Header{"If-None-Match": c.tags, "Prefer": {"unchanged=412"}}).status, "%q", c.tags)
	}
	for _, c := range []struct {
		prefer     []string
		understood bool
	}{
		{[]string{"unchanged=412"}, true},
		{[]string{"Unchanged=412"}, true},
		{[]string{"unchanged = 412"}, true},
		{[]string{`unchanged="412"`}, true},
		{[]string{`unchanged="4\12"`}, true},
		{[]string{"unchanged=412; foo"}, true},
		{[]string{`unchanged=412;foo="a;b,c"`}, true},
		{[]string{"respond-async, unchanged=412"}, true},
		{[]string{"respond-async", "unchanged=412"}, true},
		{[]string{`wait=10;x="\"," , , unchanged=412 , return=minimal`}, true},
		{[]string{"unchanged=412, unchanged=200"}, true},
		{[]string{"unchanged=200, unchanged=412"}, false},
		{[]string{"unchanged=200", "unchanged=412"}, false},
		{[]string{"unchanged"}, false},
		{[]string{"unchanged=4120"}, false},
		{[]string{"not-unchanged=412"}, false},
		{[]string{`foo="x, unchanged=412"`}, false},
		{[]string{"foo; unchanged=412"}, false},
		{[]string{""}, false},
		{nil, false},
	} {
		r := ask(http.MethodPost, http.Header{"If-None-Match": {tag}, "Prefer": c.prefer})
		if c.understood {
			require.Equal(t, http.StatusPreconditionFailed, r.status, "%q", c.prefer)
		} else {
			require.Equal(t, full.body, r.body, "%q", c.prefer)
		}
		require.Equal(t, http.StatusNotModified, ask(http.MethodGet, http.Header{"If-None-Match": {tag}, "Prefer": c.prefer}).status, "a GET needs no preference")
	}
}
