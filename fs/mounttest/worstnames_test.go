package mounttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// awkward mounts a generated tree with the worst possible names.
func awkward(t *testing.T) *mounted {
	f := servicetest.Start(t)
	f.Generate(generate.Spec{Papers: 400, Categories: 40, Depth: 3, Seed: 7, Awkward: true})
	return newMountOf(t, f)
}

// shownNodes returns the paths of all nodes shown in papers/ by their ids.
func shownNodes(m *mounted) map[string]string {
	m.t.Helper()
	paths := map[string]string{}
	var walk func(dir string)
	walk = func(dir string) {
		entries := testrun.Must(os.ReadDir(dir))(m.t)
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			require.LessOrEqual(m.t, len(e.Name()), 255)
			require.True(m.t, utf8.ValidString(e.Name()), "%q", e.Name())
			id := path + "/.category/id"
			isPaper := strings.HasSuffix(e.Name(), ".paper")
			if isPaper {
				id = path + "/id"
			}
			text, err := os.ReadFile(id)
			require.NoError(m.t, err, "%q", path)
			number := strings.TrimSpace(string(text))
			require.NotContains(m.t, paths, number, "node %s is shown twice", number)
			paths[number] = path
			if !isPaper {
				walk(path)
			}
		}
	}
	walk(filepath.Join(m.dir, "papers"))
	return paths
}

func TestAwkwardNamesLeadBackToTheirNodes(t *testing.T) {
	t.Parallel()
	m := awkward(t)
	shown := shownNodes(m)
	count := -1 // the root
	client := m.client()
	root, _ := testrun.Must2(client.GetPaperIDFromUrl(t.Context(), "/"))(t)
	require.NoError(t, client.GetAllPapers(t.Context(), root, func(remote.Node) error {
		count++
		return nil
	}))
	assert.Len(t, shown, count, "every node is shown")
	for id, path := range shown {
		link := testrun.Must(os.Readlink(filepath.Join(m.dir, "by-id", id)))(t)
		require.Equal(t, path, filepath.Join(m.dir, "by-id", link))
	}
	m.forgetState()
	m.start()
	assert.Equal(t, shown, shownNodes(m), "the same tree shows the same names")
}

// TestADirectoryThatMkdirMadeIsListedUnderItsName checks that each directory made by mkdir is listed under its
// name, and that a refused mkdir creates nothing.
func TestADirectoryThatMkdirMadeIsListedUnderItsName(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	papers := filepath.Join(m.dir, "papers")
	names := []string{
		"plain", "Plain", "PLAIN", "url", "id", "url.paper", "search", "x／y", "x‛／y", "．hidden", "a．b", "‛", "‛‛", "～12", "x~12", "x~12.paper",
		"X.paper", "X.paper.paper", "x.PAPER", "é", "e\u0301", "日本語", "Ж", "עברית", "👩‍👩‍👧‍👦", "a\u200bb", "'\"&<>]]>", "%41", "+", "a\\b", "-rf", "*", "a b", "CON", "~", "draft~", " lead", "trail ",
		"new\nline", "a\x01b", "a\xffb", ".dot", ".search", "..data", "\u00a0x", strings.Repeat("x", 255), strings.Repeat("é", 127) + "x", strings.Repeat("日", 85),
		strings.Repeat("x", 249) + ".paper", strings.Repeat("x", 256),
	}
	made := map[string]bool{}
	for _, name := range names {
		path := filepath.Join(papers, name)
		_, before := os.Lstat(path)
		if err := os.Mkdir(path, 0o755); err != nil {
			_, after := os.Lstat(path)
			assert.Equal(t, before == nil, after == nil, "%q was refused", name)
			continue
		}
		made[name] = true
	}
	require.Greater(t, len(made), 25)
	check := func() {
		t.Helper()
		listed := map[string]bool{}
		entries := testrun.Must(os.ReadDir(papers))(t)
		for _, e := range entries {
			listed[e.Name()] = true
		}
		assert.Equal(t, made, listed)
		for name := range made {
			assert.DirExists(t, filepath.Join(papers, name))
		}
	}
	check()
	m.sh(`echo > .paperfs/refresh`)
	check()
	m.forgetState()
	m.start()
	check()
}
