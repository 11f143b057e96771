package mounttest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
	"paperfs/fs/control"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// knownAccount returns an ended mount of an account whose papers/ was never listed. It has a cached
// file and a queued one.
func knownAccount(t *testing.T) *mounted {
	m := newMount(t, "--write-back")
	m.sh(`ls media; echo kept > media/kept; "$PAPERFS" wait .; cat media/kept`)
	m.proxy.Down()
	m.sh(`echo queued > media/queued`)
	m.crash()
	require.Zero(t, m.proxy.Count(remote.GetAllPapers))
	return m
}

// moveAccount moves the stored state of the account to another service.
func (m *mounted) moveAccount(from, to string) {
	m.t.Helper()
	dirs := func(url string) state.Dirs {
		return state.AccountDirs(filepath.Join(m.home, "state"), filepath.Join(m.home, "cache"), url, m.service.Username)
	}
	require.NoError(m.t, os.Rename(dirs(from).State, dirs(to).State))
	require.NoError(m.t, os.Rename(dirs(from).Cache, dirs(to).Cache))
}

// TestAKnownAccountIsMountedWhateverTheServiceDoes checks that a known account can be mounted, with
// its queue, cached content and cached trees, however the service fails.
func TestAKnownAccountIsMountedWhateverTheServiceDoes(t *testing.T) {
	t.Parallel()
	m := knownAccount(t)
	url := m.proxy.URL
	up := func(t *testing.T, flags ...string) {
		m := *m
		m.t = t
		m.start(append([]string{"--write-back"}, flags...)...)
		assert.Equal(t, "kept\nqueued\nkept\nqueued", m.sh(`cat media/kept media/queued; ls media`))
		assert.Contains(t, m.sh(`"$PAPERFS" status .`), "1 published, 0 local, 0 being written, 1 pending, 0 failed")
		m.crash()
	}
	t.Run("refused", func(t *testing.T) { up(t) })
	m.proxy.Up()
	for name, fault := range map[string]func(){
		"reset":          func() { m.proxy.CutRequest(nil, -1, 0) },
		"502":            func() { m.proxy.Fail(nil, -1, 502) },
		"a login page":   func() { m.proxy.Garble(nil, "<html><title>Log in</title></html>") },
		"black hole":     func() { m.proxy.Freeze(nil) },
		"bad credential": func() { m.proxy.Fail(nil, -1, 401) },
	} {
		fault()
		t.Run(name, func(t *testing.T) { up(t) })
		m.proxy.Heal()
	}
	for name, address := range map[string]string{"DNS": "http://nowhere.invalid", "TLS": "https" + url[len("http"):]} {
		m.moveAccount(url, address)
		m.proxy.URL, url = address, address
		t.Run(name, func(t *testing.T) { up(t, "--allow-plain-http") })
	}
}

// TestANewRootOfAKnownAccount checks that a root that was not mounted before can be mounted too,
// unless the service says that it does not exist.
func TestANewRootOfAKnownAccount(t *testing.T) {
	t.Parallel()
	m := knownAccount(t)
	root, _ := testrun.Must2(m.client().GetPaperIDFromUrl(t.Context(), "/"))(t)
	testrun.Must(m.client().CreateCategory(t.Context(), remote.Node{ID: root, URL: "/"}, "Acme", "acme"))(t)
	m.start("--write-back", "--root-url", "/acme/")
	assert.Equal(t, "kept\nqueued", m.sh(`cat media/kept media/queued`))
	assert.Contains(t, m.fails(`ls papers`), "Host is down")
	m.proxy.Up()
	m.eventually(`ls papers`)
	m.crash()
	out := testrun.Must(m.run("bash", `"$PAPERFS" mount --root-url /nowhere/ "$HOME/other"; echo "code $?"`))(t)
	assert.Contains(t, out, "code 9")
}

// TestAMkdirAfterADisturbedOne checks that the next mkdir creates no second category if an earlier one
// created it, but lost its answer and could not check the outcome.
func TestAMkdirAfterADisturbedOne(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls papers`)
	m.proxy.Fail(remote.GetAllPapers, -1, 404)
	for range 2 {
		m.proxy.Cut(remote.CreateCategory, 1, 0)
		m.proxy.Fail(remote.GetPaperIDFromUrl, 1, 500)
		m.run("bash", `mkdir papers/X`)
	}
	m.proxy.Heal()
	assert.Contains(t, m.fails(`mkdir papers/X`), "File exists")
	m.sh(`mkdir -p papers/X/Y; echo > .paperfs/refresh`)
	assert.Equal(t, "papers\npapers/X\npapers/X/Y", m.sh(`find papers`))
}

// restarting answers every request like a proxy whose service restarts, or like another server in
// its place.
func restarting(status int, body string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Location", "/login")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		return true
	}
}

// TestTheQueueWaitsWhileAProxyRestarts checks that such answers do not fail the files: they wait,
// status says why, and all of them arrive.
func TestTheQueueWaitsWhileAProxyRestarts(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.sh(`ls media`)
	for name, c := range map[string]struct {
		status    int
		body, why string
		rare      bool // not tried in a short run
	}{
		"redirect":   {http.StatusFound, "", "HTTP 302", false},
		"404":        {http.StatusNotFound, "", "HTTP 404", false},
		"405":        {http.StatusMethodNotAllowed, "", "HTTP 405", true},
		"408":        {http.StatusRequestTimeout, "", "HTTP 408", true},
		"409":        {http.StatusConflict, "", "HTTP 409", true},
		"410":        {http.StatusGone, "", "HTTP 410", true},
		"425":        {http.StatusTooEarly, "", "HTTP 425", true},
		"418":        {http.StatusTeapot, "", "HTTP 418", true},
		"login page": {http.StatusOK, "<html><title>Sign in</title></html>", "Sign in", false},
		"odd code":   {http.StatusOK, "<result><code>MAINTENANCE</code></result>", "MAINTENANCE", false},
	} {
		if c.rare && !testrun.All() {
			continue
		}
		m.proxy.Answer(nil, restarting(c.status, c.body))
		m.sh(fmt.Sprintf(`for i in 1 2 3 4 5; do echo $i > "media/%s $i"; done`, name))
		m.eventually(`"$PAPERFS" status . | grep -q "all of it waits: .*` + c.why + `"`)
		assert.Empty(t, m.sh(`ls .paperfs/failed`), name)
		m.proxy.Heal()
		m.sh(`"$PAPERFS" retry . && "$PAPERFS" wait .`)
		held := m.atService()
		for i := 1; i <= 5; i++ {
			assert.Equal(t, sum(fmt.Sprintln(i)), held[fmt.Sprintf("%s %d", name, i)])
		}
		assert.NotContains(t, m.sh(`"$PAPERFS" status .`), "waits")
	}
}

func (m *mounted) status() (s control.Status) {
	m.t.Helper()
	require.NoError(m.t, json.Unmarshal([]byte(m.sh(`cat .paperfs/status`)), &s))
	return s
}

// TestWaitingForTheBudgetIsVisible checks that a change waits for its turn, that the status shows
// for how long, and that a read that would wait too long is refused.
func TestWaitingForTheBudgetIsVisible(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/a papers/b`)
	m.remount("--rpm", "4", "--max-wait", "1ms")
	released := make(chan struct{})
	go func() {
		defer close(released)
		for err := error(nil); err == nil; {
			_, err = m.run("bash", `mktemp -d papers/b/XXXXXX`)
		}
	}()
	m.eventually(`grep -q '"waiting": [1-9]' .paperfs/status`)
	s := m.status()
	assert.Positive(t, s.Requests.NextIn)
	assert.LessOrEqual(t, s.Requests.NextIn, 60.0)
	assert.Regexp(t, `[1-9] waiting, next request in [0-9.]+ s`, m.sh(`"$PAPERFS" status .`))
	failed := s.Requests.Failed
	assert.Contains(t, m.fails(`cat papers/a/.category/settings/autoMaximize`), "busy")
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/a/.category/settings/autoMaximize`), "as the limit is 4 a minute")
	s = m.status()
	assert.Positive(t, s.Requests.HeldBack)
	assert.Equal(t, failed, s.Requests.Failed, "nothing was sent")
	m.eventually(`"$PAPERFS" status . | grep -q 'failed without a request; 4 of 4 allowed'`)
	m.kill() // ends the waiting calls too
	<-released
}

// TestAServiceThatIsAwayIsAskedAgain checks that cached content can be read, that everything else
// fails at once, and that the status shows when the mount will try the service again.
func TestAServiceThatIsAwayIsAskedAgain(t *testing.T) {
	t.Parallel()
	m := planted(t)
	m.sh(`ls -R papers > /dev/null; cat papers/A/X.paper/structure.xml > /dev/null`)
	m.proxy.Down()
	m.fails(`cat papers/A/X.paper/links.xml`)
	m.sh(`cat papers/A/X.paper/url papers/A/X.paper/structure.xml > /dev/null`)
	require.NotNil(t, m.status().Service.AwaySince)
	require.NotNil(t, m.status().Service.AskedAgain)
	assert.Contains(t, m.sh(`"$PAPERFS" status .`), "tried again with the first call after")
	m.proxy.Up()
	m.eventually(`cat papers/A/X.paper/links.xml > /dev/null 2>&1`)
	require.Nil(t, m.status().Service.AwaySince)
}
