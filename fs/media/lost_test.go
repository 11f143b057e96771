package media_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// ids returns the service's ids of all files and directories, by path.
func (m *mount) ids() map[string]int64 {
	m.t.Helper()
	m.idle()
	tree, err := m.client.GetTree(m.t.Context())
	require.NoError(m.t, err)
	dirs, ids := map[int64]string{0: ""}, map[string]int64{}
	for _, d := range tree.Dirs {
		dirs[d.ID] = dirs[d.Parent] + d.Name + "/"
		require.NotContains(m.t, ids, dirs[d.ID], "the name exists twice")
		ids[dirs[d.ID]] = d.ID
	}
	for _, f := range tree.Files {
		path := dirs[f.Parent] + f.Name
		require.NotContains(m.t, ids, path, "the name exists twice")
		ids[path] = f.ID
	}
	return ids
}

// TestRepliesLostAfterTheEffect breaks the connection before the first reply to an operation, and
// checks that programs see no error, nothing exists twice, and everything keeps its id.
func TestRepliesLostAfterTheEffect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		op         *remote.Operation
		script     string
		come, gone []string
	}{
		"upload":          {remote.UploadFile, `echo new > new`, []string{"new"}, nil},
		"overwrite":       {remote.UploadFile, `echo new > known`, nil, nil},
		"from scratch":    {remote.UploadFile, `echo new > .n && mv .n known`, nil, nil},
		"mkdir":           {remote.CreateDirectory, `mkdir d && echo new > d/new`, []string{"d/", "d/new"}, nil},
		"rsync":           {remote.CreateDirectory, `rsync -r old/ r/`, []string{"r/", "r/in"}, nil},
		"rm":              {remote.DeleteFile, `rm known`, nil, []string{"known"}},
		"rmdir":           {remote.DeleteDirectory, `rmdir empty`, nil, []string{"empty/"}},
		"rmdir, the tree": {remote.GetTree, `rmdir empty`, nil, []string{"empty/"}},
		"mv":              {remote.MoveFile, `mv known new`, []string{"new"}, []string{"known"}},
		"mv over a file":  {remote.MoveFile, `echo x > x; mv x known`, nil, nil},
		"mv a directory":  {remote.MoveDirectory, `mv old empty && mv empty/old new`, []string{"new/", "new/in"}, []string{"old/", "old/in"}},
	} {
		for mode, options := range map[string][]func(*media.Options){"direct": {deleting}, "write-back": {deleting, writeBack}} {
			if !testrun.OneWay(name, mode == "direct") {
				continue
			}
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, options...)
				m.sh(`echo old > known; mkdir old empty; echo in > old/in`)
				want := m.ids()
				m.proxy.Cut(c.op, 1, 0)
				m.sh(c.script)
				got := m.ids()
				for _, path := range c.come {
					require.Contains(t, got, path)
					delete(got, path)
				}
				for _, path := range c.gone {
					delete(want, path)
				}
				require.Equal(t, want, got)
				require.Empty(t, m.store.Failed())
				require.Empty(t, m.failures.Events())
				m.checkShown()
			})
		}
	}
}

// TestEveryReplyIsLost drops all replies for a while, and checks that a waiting program gets an
// error, and that its next attempt finds the directory, which the service has once.
func TestEveryReplyIsLost(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo old > known; mkdir empty`)
	want := m.ids()
	m.proxy.Cut(remote.GetTree, -1, 0)
	m.proxy.Cut(remote.CreateDirectory, -1, 0)
	require.Contains(t, m.fails(`mkdir d`), "Host is down")
	m.proxy.Heal()
	// For a moment the mount still considers the service unreachable.
	require.Contains(t, m.sh(`while ! mkdir d 2> ../said && grep -q 'is down' ../said; do sleep 0.1; done; cat ../said`), "File exists")
	m.sh(`echo new > known`)
	got := m.ids()
	require.Contains(t, got, "d/")
	delete(got, "d/")
	require.Equal(t, want, got)
	m.checkShown()
}

// TestARefusedRemovalNamesTheFile checks that the recorded failure has the service's id of the file
// or directory.
func TestARefusedRemovalNamesTheFile(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo old > known; mkdir d`)
	ids := m.ids()
	for path, script := range map[string]string{"known": `rm known`, "d/": `rmdir d`} {
		m.fails(script)
		last, ok := m.failures.Last("media/" + strings.TrimSuffix(path, "/"))
		require.True(t, ok)
		require.Equal(t, ids[path], last.ID, path)
	}
}

// checkShown checks that the mount shows the service's files.
func (m *mount) checkShown() {
	m.t.Helper()
	shown := map[string]string{}
	for line := range strings.Lines(m.sh(`find . -type f -exec sha256sum {} +`)) {
		digest, path, _ := strings.Cut(strings.TrimSpace(line), "  ./")
		shown[path] = digest
	}
	require.Equal(m.t, m.atService(), shown)
}
