package mounttest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
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
	root, _, err := m.client().GetPaperIDFromUrl(t.Context(), "/")
	require.NoError(t, err)
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
