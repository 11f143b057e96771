package apitest

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// keeping returns a service with papers that caches every answer.
func keeping(t testing.TB, papers int) *server {
	s := start(t)
	s.setSpoolFrom(0)
	s.place().Generate(s.t, generate.Spec{Papers: papers, Categories: papers / 30, Depth: 3, Seed: 1})
	return s
}

// ask requests the whole tree. A cached answer has a Content-Length.
func (s *server) ask(ctx context.Context, root, coding string) *http.Response {
	form := s.credentials(remote.GetAllPapers)
	form.Set("paperID", root)
	request := testrun.Must(http.NewRequestWithContext(ctx, http.MethodPost, s.http.URL+remote.GetAllPapers.Path(), strings.NewReader(form.Encode())))(s.t)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept-Encoding", coding)
	return testrun.Must(http.DefaultClient.Do(request))(s.t)
}

func (s *server) whole(root, coding string) (body string, kept bool) {
	resp := s.ask(context.Background(), root, coding)
	defer resp.Body.Close()
	content := testrun.Must(io.ReadAll(resp.Body))(s.t)
	require.Equal(s.t, "text/xml; charset=utf-8", resp.Header.Get("Content-Type"))
	if coding == "gzip" {
		require.Equal(s.t, "gzip", resp.Header.Get("Content-Encoding"))
		zip := testrun.Must(gzip.NewReader(bytes.NewReader(content)))(s.t)
		content = testrun.Must(io.ReadAll(zip))(s.t)
	}
	return string(content), resp.ContentLength > 0
}

func TestKeptAnswersAreTheCallersOwn(t *testing.T) {
	t.Parallel()
	s := keeping(t, 300)
	s.whole(s.root(), "identity")
	_, kept := s.whole(s.root(), "identity")
	require.True(t, kept)

	require.NoError(t, s.admin().AddTenant(admin.TenantSettings{Name: "other", Hosts: []string{"other.example"}}))
	key := testrun.Must(s.admin().AddAccount("other", "me", remote.Admin))(t)
	other := s.at("other.example").as("me", key)
	other.fails(remote.PaperDoesNotExist, remote.GetAllPapers, "paperID", s.root())
	s.as("APIKey", "wrong").fails(remote.LoginSecurityViolation, remote.GetAllPapers, "paperID", s.root())
}

// noFiles requires that the data directory shows no file of a cached answer: the service unlinks
// them.
func (s *server) noFiles() {
	entries := testrun.Must(os.ReadDir(s.data))(s.t)
	for _, e := range entries {
		require.False(s.t, strings.HasPrefix(e.Name(), "answer-"), e.Name())
	}
}

// TestABrokenOffAnswerIsNotKept checks that an answer that its client did not read to the end is
// not cached.
func TestABrokenOffAnswerIsNotKept(t *testing.T) {
	t.Parallel()
	s := keeping(t, 3000)
	root := s.root()
	want, _ := s.whole(root, "gzip")
	for range 5 {
		s.must(remote.CreateCategory, "parentID", root, "name", "x", "urlName", strconv.Itoa(len(want)))
		ctx, cancel := context.WithCancel(context.Background())
		resp := s.ask(ctx, root, "identity")
		testrun.Must(io.ReadFull(resp.Body, make([]byte, 100)))(t)
		cancel()
		resp.Body.Close()
		want, _ = s.whole(root, "gzip")
		got, _ := s.whole(root, "identity")
		require.Equal(t, want, got)
	}
	s.noFiles()
}

// TestReadersOfKeptAnswersWhileTheyAreReplaced checks that each reader gets a tree that existed at
// some moment.
func TestReadersOfKeptAnswersWhileTheyAreReplaced(t *testing.T) {
	t.Parallel()
	s := keeping(t, 300)
	root := s.root()
	paper := s.paper(root, "at-0")
	var readers sync.WaitGroup
	for i := range 4 {
		coding := []string{"identity", "gzip"}[i%2]
		readers.Go(func() {
			last := -1
			for range 15 {
				body, _ := s.whole(root, coding)
				require.True(t, strings.HasSuffix(body, "</string>\n"))
				_, after, found := strings.Cut(body, `url="/at-`)
				require.True(t, found)
				number, _, _ := strings.Cut(after, "/")
				at := testrun.Must(strconv.Atoi(number))(t)
				require.GreaterOrEqual(t, at, last, "a reader must not get an older tree than before")
				last = at
			}
		})
	}
	for i := range 20 {
		s.must(remote.ChangePaperUrl, "paperID", paper, "newUrl", "at-"+strconv.Itoa(i+1))
	}
	readers.Wait()
	s.noFiles()
}

// TestReadsDoNotWaitForAChange checks that reads go on during a long change, such as an import.
func TestReadsDoNotWaitForAChange(t *testing.T) {
	t.Parallel()
	s := keeping(t, 300)
	root := s.root()
	home := s.category(root, "home")
	s.upload("0", "logo.svg", "content")
	before := s.tree()
	db := s.place().Beside(t)
	begun, released, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	release := sync.OnceFunc(func() { close(released) })
	defer release()
	go func() {
		ended <- db.Write(context.Background(), store.AllTenants, func(tx store.Writer) error {
			tenant, err := tx.TenantByName("default")
			if err != nil {
				return err
			}
			if _, err := generate.Tree(tx, tenant, generate.Spec{Papers: 700, Categories: 20, Depth: 2, Seed: 2}); err != nil {
				return err
			}
			close(begun)
			<-released
			return nil
		})
	}()
	<-begun
	require.Equal(t, before, s.tree(), "the state before the change")
	require.Equal(t, "/home/", s.must(remote.GetPaperUrlFromID, "paperID", home).attribute(t, "url"))
	require.Equal(t, home, s.must(remote.GetPaperIDFromUrl, "url", "/home/").attribute(t, "id"))
	require.Contains(t, s.must(remote.GetTree).data, "logo.svg")
	s.must(remote.GetSetting, "paperID", home, "setting", "iconPdf")
	s.must(remote.SearchPapersByContent, "query", "nothing", "categoryOrPaperID", root, "xmlOptions", "")
	release()
	require.NoError(t, <-ended)
	require.Greater(t, len(s.tree()), 2*len(before))
}
