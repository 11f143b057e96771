package fs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestImportsPointOneWay checks the order cmd → fs → cache → remote, and remote/service → remote.
func TestImportsPointOneWay(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, "paperfs/...").CombinedOutput()
	require.NoError(t, err, "%s", out)
	const fuse = "github.com/hanwen/go-fuse"
	forbidden := map[string][]string{
		"paperfs/remote":         {"paperfs/cache", "paperfs/fs", "paperfs/cmd", "paperfs/remote/service", fuse},
		"paperfs/remote/service": {"paperfs/cache", "paperfs/fs", "paperfs/cmd", fuse},
		"paperfs/cache":          {"paperfs/fs", "paperfs/cmd", "paperfs/remote/service", fuse},
		"paperfs/fs":             {"paperfs/cmd", "paperfs/remote/service"},
		"paperfs/cmd":            {},
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		layer := layerOf(words[0], forbidden)
		require.NotEmpty(t, layer, "%s is in no known folder", words[0])
		for _, dep := range words[1:] {
			for _, no := range forbidden[layer] {
				assert.False(t, dep == no || strings.HasPrefix(dep, no+"/"), "%s must not import %s", words[0], dep)
			}
		}
	}
}

// layerOf returns the longest key that contains a package.
func layerOf(pkg string, layers map[string][]string) string {
	best := ""
	for layer := range layers {
		if (pkg == layer || strings.HasPrefix(pkg, layer+"/")) && len(layer) > len(best) {
			best = layer
		}
	}
	return best
}

// TestFSBuildsNoRequest checks that fs uses cache and never builds a request itself.
func TestFSBuildsNoRequest(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "paperfs/fs/...").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		assert.NotContains(t, words[1:], "net/http", words[0])
	}
}

// TestImportsOfPackagesWithoutLocks checks that packages whose documentation says that there are no
// locks do not import sync.
func TestImportsOfPackagesWithoutLocks(t *testing.T) {
	t.Parallel()
	docs := testrun.Must(filepath.Glob("*/doc.go"))(t)
	found := 0
	for _, doc := range docs {
		text := testrun.Must(os.ReadFile(doc))(t)
		if !strings.Contains(string(text), "There are no locks") {
			continue
		}
		found++
		out, err := exec.Command("go", "list", "-f", `{{join .Imports " "}}`, "./"+filepath.Dir(doc)).CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.NotContains(t, strings.Fields(string(out)), "sync", doc)
	}
	require.NotZero(t, found)
}
