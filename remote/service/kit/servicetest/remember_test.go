package servicetest

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestRememberedPagesAreThoseOfPDFium sends a PDF to two papers of a service that remembers, and another PDF:
// equal PDFs have equal pages, and the worker that made them ran once.
func TestRememberedPagesAreThoseOfPDFium(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pages")
	RememberPages(dir)
	t.Cleanup(func() { RememberPages("") })
	f := Start(t)
	c := client(t, f.URL, f)
	first, second := pagesOf(t, c, "first", pdftest.Text("one", "two")), pagesOf(t, c, "second", pdftest.Text("one", "two"))
	require.Len(t, first, 2)
	require.Equal(t, first, second)
	require.Equal(t, 1, len(kept(t, dir)))
	require.Equal(t, "three", pagesOf(t, c, "third", pdftest.Text("three"))[0].text)
	require.Equal(t, 2, len(kept(t, dir)))
}

func kept(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	return testrun.Must(os.ReadDir(dir))(t)
}

type madePage struct{ text, picture string }

// pagesOf makes a paper of a PDF and returns its pages.
func pagesOf(t *testing.T, c *remote.Client, name string, file []byte) (made []madePage) {
	t.Helper()
	root, _ := testrun.Must2(c.GetPaperIDFromUrl(t.Context(), "/"))(t)
	paper := testrun.Must(c.CreatePaper(t.Context(), remote.Node{ID: root, URL: "/"}, name, name))(t)
	job, err := c.ProcessPDF(t.Context(), paper, "<options/>", content(file))
	require.NoError(t, err)
	for status := remote.JobPending; status != remote.JobCompleted; time.Sleep(5 * time.Millisecond) {
		var reason string
		status, reason = testrun.Must2(c.GetProcessingStatus(t.Context(), job.GUID))(t)
		require.NotEqual(t, remote.JobFailed, status, reason)
	}
	structure := testrun.Must(c.GetPaperStructure(t.Context(), paper, true))(t)
	pages := testrun.Must(remote.ParseStructure(structure))(t)
	for _, p := range pages {
		r := testrun.Must(c.Download(t.Context(), p.Images[0].URL, remote.Part{}))(t)
		picture := testrun.Must(io.ReadAll(r))(t)
		require.NoError(t, r.Close())
		made = append(made, madePage{p.Text, string(picture)})
	}
	return made
}
