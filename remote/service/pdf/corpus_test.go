package pdf

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// manuals are PDFs with many links and bookmarks.
var manuals = []string{"/usr/share/doc/bash/bashref.pdf", "/usr/share/doc/gnuplot/gnuplot.pdf"}

// corpusExceptions are files that differ from poppler, and why.
var corpusExceptions = map[string]string{}

// TestCorpus compares the PDFs that Debian packages brought to this machine with poppler: the number of pages, their
// words, and the picture of the first. It compares links and bookmarks of manuals with qpdf.
func TestCorpus(t *testing.T) {
	testrun.Long(t, "processes all PDFs of the machine's documentation")
	t.Parallel()
	files := map[string]bool{}
	for _, pattern := range []string{"/usr/share/doc/*/*.pdf", "/usr/share/doc/*/*/*.pdf", "/usr/share/*/*.pdf"} {
		found := testrun.Must(filepath.Glob(pattern))(t)
		for _, file := range found {
			if real, err := filepath.EvalSymlinks(file); err == nil {
				files[real] = true
			}
		}
	}
	for _, manual := range manuals {
		if !files[manual] {
			testrun.Missing(t, manual+" (apt-get install bash-doc gnuplot-doc)")
		}
	}
	require.LessOrEqual(t, 20*len(corpusExceptions), len(files))
	for file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if why := corpusExceptions[filepath.Base(file)]; why != "" {
				t.Skip(why)
			}
			t.Parallel()
			pages := min(pdfinfoPages(t, file), 60)
			r := testrun.Must(process(t, processor(Limits{}), file, Job{From: 1, To: pages}))(t)
			require.Len(t, r.pages, pages)
			for i, p := range r.pages {
				require.Equal(t, i+1, p.Number)
				if i%17 == 0 && p.Text != "" {
					requireImages(t, p)
				}
			}
			require.Less(t, fromPoppler(t, file, r.pages[0]), 8.)
			out := testrun.Must(exec.Command(testrun.Program(t, "pdftotext"), "-cropbox", "-l", strconv.Itoa(pages), file, "-").Output())(t)
			var ours strings.Builder
			for _, p := range r.pages {
				ours.WriteString(p.Text + "\n")
			}
			requireAlike(t, string(out), ours.String())
			if slices.Contains(manuals, file) {
				requireSameLinks(t, file, r)
			}
		})
	}
}

var hyphens = regexp.MustCompile(`[-\x{ad}\x{2010}]\n?`)

// requireAlike requires that 98 of 100 words of each text are in the other.
func requireAlike(t *testing.T, theirs, ours string) {
	t.Helper()
	count := func(text string) (words map[string]int, all int) {
		words = countWords(strings.ToLower(hyphens.ReplaceAllString(text, "")))
		for _, n := range words {
			all += n
		}
		return words, all
	}
	a, inA := count(theirs)
	b, inB := count(ours)
	same := 0
	for word, n := range a {
		same += min(n, b[word])
	}
	t.Logf("%d words in both, %d in poppler's, %d in ours", same, inA, inB)
	require.GreaterOrEqual(t, 100*same, 98*max(inA, inB))
}

// fromPoppler returns how far the picture of a page is from poppler's, in grey levels on average.
func fromPoppler(t *testing.T, file string, p Page) float64 {
	t.Helper()
	width, height := p.Images[0].Width, p.Images[0].Height
	out, err := exec.Command(testrun.Program(t, "pdftoppm"), "-cropbox", "-gray", "-f", strconv.Itoa(p.Number), "-l", strconv.Itoa(p.Number),
		"-scale-to-x", strconv.Itoa(width), "-scale-to-y", strconv.Itoa(height), file).Output()
	require.NoError(t, err)
	header := fmt.Sprintf("P5\n%d %d\n255\n", width, height)
	require.True(t, bytes.HasPrefix(out, []byte(header)), "%.40q", out)
	ours := drawn(t, p)
	var difference float64
	for i, theirs := range out[len(header):] {
		r, g, b, _ := ours.At(i%width, i/width).RGBA()
		grey := (.299*float64(r) + .587*float64(g) + .114*float64(b)) / 257
		difference += max(grey-float64(theirs), float64(theirs)-grey)
	}
	return difference / float64(width*height)
}
