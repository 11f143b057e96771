package pdf

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// TestDamagedFilesAreRepaired checks damage that other readers repair.
func TestDamagedFilesAreRepaired(t *testing.T) {
	t.Parallel()
	good := string(pdftest.Text("one", "two"))
	body, table, _ := strings.Cut(good, "xref\n")
	table = "xref\n" + table
	offsets := regexp.MustCompile(`(?m)^(\d{8})\d\d 00000 n`)
	for name, damaged := range map[string]string{
		"a version to come":                 strings.Replace(good, "1.4", "9.9", 1),
		"no version":                        strings.Replace(good, "-1.4", "-", 1),
		"half a version":                    strings.Replace(good, "-1.4\n", "-1.\r", 1),
		"more in the line of the version":   strings.Replace(good, "1.4\n", "1.4 %\xe2\xe3\xcf\xd3 1 0 obj\n", 1),
		"a late header and no table":        strings.Repeat("x", 777) + body + "trailer<</Root 1 0 R>>",
		"line ends of another system":       strings.ReplaceAll(good, "\n", "\r\n"),
		"no table":                          body + "trailer<</Root 1 0 R>>\n%%EOF\n",
		"no end":                            strings.TrimSuffix(good, good[strings.Index(good, "startxref"):]),
		"a table in another place":          good[:strings.Index(good, "startxref")] + "startxref\n7\n%%EOF\n",
		"objects in other places":           body + offsets.ReplaceAllString(table, "${1}77 00000 n"),
		"objects outside of the file":       body + offsets.ReplaceAllString(table, "9999999999 00000 n"),
		"a table that is cut":               body + table[:60] + "trailer<</Size 9/Root 1 0 R>>\nstartxref\n" + fmt.Sprint(len(body)) + "\n%%EOF\n",
		"fewer objects than there are":      strings.Replace(good, "/Size", "/Size 2/Old", 1),
		"much after the end":                good + strings.Repeat("\x00", 20_000),
		"lengths of streams that are wrong": regexp.MustCompile(`/Length \d+`).ReplaceAllString(good, "/Length 7"),
		"objects without an end":            strings.ReplaceAll(good, "endobj", "      "),
		"an older copy before it":           good + good[9:],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := testrun.Must(process(t, processor(Limits{}), write(t, []byte(damaged)), Job{}))(t)
			require.Len(t, r.pages, 2)
			require.Equal(t, "one two", r.pages[0].Text+" "+r.pages[1].Text)
		})
	}
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
		testrun.Must(os.Stat(locked))(t)
		r, err := process(t, processor(Limits{}), locked, Job{})
		require.NoError(t, err, bits)
		require.Equal(t, "secret", r.pages[0].Text)
		require.Equal(t, "https://example.org/", r.pages[0].Links[0].URI)
		require.Equal(t, Outline{{1, 0, "Chapter"}}, r.outline)
	}
}
