package mounttest

import (
	"bytes"
	"fmt"
	"io"
	iofs "io/fs"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// treeAnswer is an answer of GetAllPapers or GetTree.
type treeAnswer struct {
	status int
	bytes  int // of the body; 0 for a short one
}

// treeAnswers records the answers that pass a proxy.
type treeAnswers struct {
	mu  sync.Mutex
	all map[*remote.Operation][]treeAnswer
}

func (a *treeAnswers) keep(r *http.Response, op *remote.Operation) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	a.mu.Lock()
	defer a.mu.Unlock()
	size := len(body)
	if size < 64 {
		size = 0 // a short body
	}
	a.all[op] = append(a.all[op], treeAnswer{r.StatusCode, size})
}

// take returns the answers since the last call.
func (a *treeAnswers) take() map[*remote.Operation][]treeAnswer {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := a.all
	a.all = map[*remote.Operation][]treeAnswer{}
	return all
}

// watchTrees records the answers from now on.
func (m *mounted) watchTrees() *treeAnswers {
	a := &treeAnswers{}
	a.take()
	for _, op := range []*remote.Operation{remote.GetAllPapers, remote.GetTree} {
		m.proxy.Alter(op, func(r *http.Response) { a.keep(r, op) })
	}
	return a
}

// unchanged are the answers to a refresh that finds nothing new.
var unchanged = map[*remote.Operation][]treeAnswer{
	remote.GetAllPapers: {{http.StatusPreconditionFailed, 0}},
	remote.GetTree:      {{http.StatusPreconditionFailed, 0}},
}

// refresh reads everything again and returns the answers.
func (m *mounted) refresh(a *treeAnswers) map[*remote.Operation][]treeAnswer {
	m.t.Helper()
	a.take()
	m.sh(`echo > .paperfs/refresh`)
	return a.take()
}

// requireWhole requires that both trees were sent.
func requireWhole(t *testing.T, got map[*remote.Operation][]treeAnswer) {
	t.Helper()
	for op := range unchanged {
		require.Len(t, got[op], 1, op.Name)
		require.Equal(t, http.StatusOK, got[op][0].status, op.Name)
		require.NotZero(t, got[op][0].bytes)
	}
}

// settled refreshes until nothing is new. After a local change, the mount requests both trees
// completely until such a request began after everything that belongs to the change.
func (m *mounted) settled(a *treeAnswers) {
	m.t.Helper()
	for limit := time.Now().Add(testrun.Patience()); !reflect.DeepEqual(unchanged, m.refresh(a)); {
		require.True(m.t, time.Now().Before(limit), "the service still sends whole trees: %v", m.refresh(a))
	}
}

// stateFiles returns a mount's state files with everything that a write would change. It leaves out
// -shm, which even reading a database writes.
func (m *mounted) stateFiles() map[string]string {
	m.t.Helper()
	files := map[string]string{}
	require.NoError(m.t, filepath.WalkDir(filepath.Join(m.home, "state"), func(path string, entry iofs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, "-shm") {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			files[path] = fmt.Sprint(info.Size(), info.ModTime(), info.Sys().(*syscall.Stat_t).Ino)
		}
		return err
	}))
	return files
}

// elsewhere creates a category and a media file as a colleague does.
func (m *mounted) elsewhere(name string) {
	m.t.Helper()
	c := m.client()
	root, found := testrun.Must2(c.GetPaperIDFromUrl(m.t.Context(), "/"))(m.t)
	require.True(m.t, found)
	testrun.Must(c.CreateCategory(m.t.Context(), remote.Node{ID: root, Kind: remote.CategoryNode, URL: "/"}, name, name))(m.t)
	testrun.Must(c.CreateDirectory(m.t.Context(), 0, name))(m.t)
}

// shown returns the names in both trees.
func (m *mounted) shown() string {
	m.t.Helper()
	return m.sh(`echo $(ls papers) : $(ls media)`)
}

// TestAnUnchangedTreeIsNotSentAgain checks the refreshes of a mount in papers/ and in media/.
func TestAnUnchangedTreeIsNotSentAgain(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.elsewhere("first")
	m.refresh(m.watchTrees())
	m.remount() // nothing waits to be saved
	a := m.watchTrees()
	m.waitForRequest(remote.GetAllPapers)
	m.refresh(a) // media/ does not keep the validator
	before := m.stateFiles()
	for range 3 {
		require.Equal(t, unchanged, m.refresh(a))
	}
	require.Equal(t, "first : first", m.shown())
	require.Equal(t, before, m.stateFiles(), "a refresh without changes writes nothing")

	m.elsewhere("second")
	requireWhole(t, m.refresh(a))
	require.Equal(t, "first second : first second", m.shown())
	require.Equal(t, unchanged, m.refresh(a))

	m.sh(`mkdir papers/own media/own; echo x > media/own/file`)
	requireWhole(t, m.refresh(a))
	m.settled(a)
	require.Equal(t, "first own second : first own second", m.shown())
	require.Equal(t, "x", m.sh(`cat media/own/file`))
}

// TestANewMountAsksForWhatIsNew checks that the saved tree of papers/ has its validator.
func TestANewMountAsksForWhatIsNew(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.elsewhere("first")
	a := m.watchTrees()
	m.refresh(a)
	for range 2 {
		m.stop()
		a.take()
		m.start()
		m.sh(`until grep -q '"refreshing": false' .paperfs/status; do read -rt 0.02 <> <(:) || :; done; ls papers`)
		got := m.refresh(a)[remote.GetAllPapers]
		for _, answer := range got {
			require.Equal(t, unchanged[remote.GetAllPapers][0], answer)
		}
	}
	m.sh(`mkdir papers/own`) // the tree that is now saved is not an answer of the service
	m.stop()
	a.take()
	m.start()
	m.refresh(a)
	require.Equal(t, "first own : first", m.shown())
}

// TestProxiesThatKnowNothingOfUnchangedTrees checks one that removes the validator, and one that
// answers a POST with 304.
func TestProxiesThatKnowNothingOfUnchangedTrees(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		alter func(*http.Response)
		again map[*remote.Operation][]treeAnswer // nil: both trees are sent
	}{
		"without ETag": {func(r *http.Response) { r.Header.Del("ETag") }, nil},
		"304": {func(r *http.Response) {
			if r.StatusCode == http.StatusPreconditionFailed {
				r.StatusCode, r.Status = http.StatusNotModified, ""
				r.Body = http.NoBody
				r.Header.Del("Content-Length")
			}
		}, map[*remote.Operation][]treeAnswer{
			remote.GetAllPapers: {{http.StatusNotModified, 0}}, remote.GetTree: {{http.StatusNotModified, 0}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMount(t)
			m.stop()
			for op := range unchanged {
				m.proxy.Alter(op, c.alter)
			}
			a := m.watchTrees()
			m.start()
			m.elsewhere("first")
			m.refresh(a)
			m.refresh(a)
			for range 2 {
				if got := m.refresh(a); c.again == nil {
					requireWhole(t, got)
				} else {
					require.Equal(t, c.again, got)
				}
			}
			m.elsewhere("second")
			requireWhole(t, m.refresh(a))
			require.Equal(t, "first second : first second", m.shown())
		})
	}
}

// TestARestoredBackupIsNotTakenForUnchanged checks a backup that has other trees with the same ids
// after the same number of changes.
func TestARestoredBackupIsNotTakenForUnchanged(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	servicetest.In(t, m.service.Data).Embedded(t, "the backups of nodes are those of PostgreSQL")
	m.elsewhere("first")
	backup := filepath.Join(t.TempDir(), "backup")
	testrun.Must(m.service.Admin().Backup(t.Context(), backup, nil))(t)
	m.elsewhere("lost")
	a := m.watchTrees()
	m.refresh(a)
	m.settled(a)
	require.Equal(t, "first lost : first lost", m.shown())

	m.service.Stop()
	m.service = servicetest.StartIn(t, backup)
	restored := testrun.Must(url.Parse(m.service.URL))(t)
	m.elsewhere("other")
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = restored.Scheme, restored.Host, r.In.Host
	}}
	m.proxy.Answer(nil, func(w http.ResponseWriter, r *http.Request) bool {
		forward.ServeHTTP(w, r)
		return true
	})
	m.refresh(a)
	require.Equal(t, "first other : first other", m.shown())
}
