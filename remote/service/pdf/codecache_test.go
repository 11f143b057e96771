package pdf

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestCompiledCodeThatCannotBeKept checks that a PDF is processed if the cache of compiled code is
// unusable, for example on a full disk: the cache only saves time.
func TestCompiledCodeThatCannotBeKept(t *testing.T) {
	testrun.Long(t, "compiles PDFium twice")
	t.Parallel()
	path := write(t, pdftest.Document([]pdftest.Sheet{{Text: "words"}}))
	hasPages := func(cache string) {
		t.Helper()
		p := processor(Limits{})
		p.Cache = cache
		require.Len(t, testrun.Must(process(t, p, path, Job{}))(t).pages, 1)
	}
	hasPages(pdftest.Cache()) // it has the code from here on
	cache := filepath.Join(t.TempDir(), "code")
	require.NoError(t, os.CopyFS(cache, os.DirFS(pdftest.Cache())))
	taken := 0
	require.NoError(t, filepath.WalkDir(cache, func(code string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		taken++
		require.NoError(t, os.Remove(code))
		return os.Mkdir(code, 0o700) // can be neither read nor replaced
	}))
	require.NotZero(t, taken)
	hasPages(cache)

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	hasPages(filepath.Join(file, "code"))
}
