package pdf

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestAPDFMayBeginLate checks files with other data before and after the PDF.
func TestAPDFMayBeginLate(t *testing.T) {
	t.Parallel()
	for _, before := range []int{10, 1000, 1500, 200_000} {
		r, err := process(t, processor(Limits{}), write(t, []byte(strings.Repeat("X", before)+"\n"+string(pdftest.Text("late"))+"\x00\x00more")), Job{})
		require.NoError(t, err, "%d bytes", before)
		require.Equal(t, "late", r.pages[0].Text)
	}
	_, err := process(t, processor(Limits{}), write(t, []byte(strings.Repeat("X", 3000))), Job{})
	require.Contains(t, reason(t, err), "cannot be read as a PDF")
}

// TestAnEmptyPasswordOpens checks all kinds of encryption, which need no password to read.
func TestAnEmptyPasswordOpens(t *testing.T) {
	t.Parallel()
	qpdf := testrun.Program(t, "qpdf")
	plain := write(t, sheet{catalog: "/Outlines 5 0 R", page: "/Annots[7 0 R]", content: say(50, 400, "secret"), objects: []string{
		"<</Type/Outlines/First 6 0 R/Last 6 0 R>>", "<</Title(Chapter)/Parent 5 0 R/Dest[3 0 R/Fit]>>",
		"<</Type/Annot/Subtype/Link/Rect[10 10 90 90]/A<</S/URI/URI(https://example.org/)>>>>"}}.bytes())
	for _, bits := range []string{"40", "128", "256"} {
		locked := filepath.Join(t.TempDir(), "locked.pdf")
		out, err := exec.Command(qpdf, "--allow-weak-crypto", "--encrypt", "", "owner", bits, "--", plain, locked).CombinedOutput()
		require.NoError(t, err, "%s", out)
		_, err = os.Stat(locked)
		require.NoError(t, err)
		r, err := process(t, processor(Limits{}), locked, Job{})
		require.NoError(t, err, bits)
		require.Equal(t, "secret", r.pages[0].Text)
		require.Equal(t, "https://example.org/", r.pages[0].Links[0].URI)
		require.Equal(t, Outline{{1, 0, "Chapter"}}, r.outline)
	}
}
