package service_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestImportsPointOneWay checks that the service's packages do not import the service, and import
// each other only as listed.
func TestImportsPointOneWay(t *testing.T) {
	t.Parallel()
	const prefix = "paperfs/remote/service/"
	made := []string{"address", "admission", "answer", "processing", "reader", "call", "operation"}
	may := map[string]string{
		"answer": "address", "admission": "address answer", "processing": "address answer admission reader", "reader": "address answer admission",
		"call": "address answer admission processing reader", "operation": "address answer admission processing reader call",
	}
	for _, name := range made {
		deps := strings.Fields(string(testrun.Must(exec.Command("go", "list", "-deps", prefix+name).Output())(t)))
		require.False(t, slices.Contains(deps, strings.TrimSuffix(prefix, "/")), "%s imports the service", name)
		for _, other := range made {
			if other != name && !slices.Contains(strings.Fields(may[name]), other) {
				require.False(t, slices.Contains(deps, prefix+other), "%s imports %s", name, other)
			}
		}
	}
}

// TestNoProgramLooksInside checks that only tests use the inside of a service.
func TestNoProgramLooksInside(t *testing.T) {
	t.Parallel()
	house, files := os.DirFS("../.."), 0
	require.NoError(t, fs.WalkDir(house, ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		files++
		text, err := fs.ReadFile(house, file)
		require.NotContains(t, string(text), ".Inside()", file)
		return err
	}))
	require.Greater(t, files, 100)
}
