package apitest

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/answer"
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
		return string(testrun.Must(cmd.Output())(t))
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
	before := testrun.Must(os.ReadFile(database))(t)
	s.open()
	s.paper("1", "one")
	tag := s.tagged(http.MethodGet, remote.GetAllPapers, "").header.Get("ETag")
	s.close()
	require.NoError(t, os.WriteFile(database, before, 0o600))
	s.open()
	s.paper("1", "another")
	require.Equal(t, http.StatusOK, s.tagged(http.MethodGet, remote.GetAllPapers, tag).status)
}
