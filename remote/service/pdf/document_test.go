package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

func TestTextLinksAndBookmarks(t *testing.T) {
	t.Parallel()
	r, err := process(t, processor(Limits{}), write(t, pdftest.Document([]pdftest.Sheet{
		{Text: "Spring is here", URI: "https://example.org/?a=b&c", To: 2},
		{Text: "Rakes (steel)\nfrom 9."},
	}, pdftest.Bookmark{Title: "End", Page: 2}, pdftest.Bookmark{Title: "Begin", Page: 1}, pdftest.Bookmark{Title: "End", Page: 2})), Job{})
	require.NoError(t, err)
	require.Equal(t, 2, r.announced)
	require.Equal(t, "Spring is here", r.pages[0].Text)
	require.Equal(t, "Rakes (steel)\nfrom 9.", r.pages[1].Text)
	require.Equal(t, []Link{
		{Width: 1, Height: 0.5, URI: "https://example.org/?a=b&c", Name: "Spring is here"},
		{Y: 0.5, Width: 1, Height: 0.5, Page: 2},
	}, r.pages[0].Links)
	require.Equal(t, Outline{{2, 0, "End"}, {1, 0, "Begin"}, {2, 0, "End"}}, r.outline)
	for _, p := range r.pages {
		requireImages(t, p)
	}
}

// TestLinesLieWhereTheyAreShown checks the lines' positions, also on rotated pages.
func TestLinesLieWhereTheyAreShown(t *testing.T) {
	t.Parallel()
	qpdf := testrun.Program(t, "qpdf")
	plain := write(t, pdftest.Text("Upper line\nLower line"))
	lines := func(path string) map[string]Line {
		r := testrun.Must(process(t, processor(Limits{}), path, Job{}))(t)
		require.Len(t, r.pages[0].Lines, 2)
		found := map[string]Line{}
		for _, l := range r.pages[0].Lines {
			found[l.Text] = l
		}
		return found
	}
	upright := lines(plain)
	upper, lower := upright["Upper line"], upright["Lower line"]
	require.Less(t, upper.Y, .2)
	require.Greater(t, upper.Width, 4*upper.Height)
	require.Greater(t, lower.Y, upper.Y+upper.Height)
	turned := filepath.Join(t.TempDir(), "turned.pdf")
	out, err := exec.Command(qpdf, "--rotate=+90", plain, turned).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for words, l := range lines(turned) {
		u := upright[words]
		require.InDeltaSlice(t, []float64{1 - u.Y - u.Height, u.X, u.Height, u.Width}, []float64{l.X, l.Y, l.Width, l.Height}, 1e-4)
	}
}

// TestLinesHaveABound checks that pages beyond the limit have text without lines.
func TestLinesHaveABound(t *testing.T) {
	t.Parallel()
	two := "one line\nand another"
	r := testrun.Must(process(t, processor(Limits{Lines: 3}), write(t, pdftest.Text(two, two, two)), Job{}))(t)
	for i, lines := range []int{2, 2, 0} {
		require.Len(t, r.pages[i].Lines, lines)
		require.Equal(t, two, r.pages[i].Text)
	}
}

// TestLinksLieWhereTheyAreShown checks the links' positions, also on rotated pages.
func TestLinksLieWhereTheyAreShown(t *testing.T) {
	t.Parallel()
	qpdf := testrun.Program(t, "qpdf")
	plain := write(t, pdftest.Document([]pdftest.Sheet{{Text: "Upper half", URI: "https://example.org/"}}))
	for angle, where := range map[string]Link{
		"+90":  {X: 0.5, Width: 0.5, Height: 1},
		"+180": {Y: 0.5, Width: 1, Height: 0.5},
		"+270": {Width: 0.5, Height: 1},
	} {
		turned := filepath.Join(t.TempDir(), "turned.pdf")
		out, err := exec.Command(qpdf, "--rotate="+angle, plain, turned).CombinedOutput()
		require.NoError(t, err, "%s", out)
		r := testrun.Must(process(t, processor(Limits{}), turned, Job{}))(t)
		where.URI, where.Name = "https://example.org/", "Upper half"
		require.Equal(t, []Link{where}, r.pages[0].Links, angle)
		require.Equal(t, angle != "+180", r.pages[0].Images[0].Width > r.pages[0].Images[0].Height)
		require.Equal(t, "Upper half", r.pages[0].Text)
	}
}

func TestPageRange(t *testing.T) {
	t.Parallel()
	path := write(t, pdftest.Text("one", "two", "three", "four"))
	r := testrun.Must(process(t, processor(Limits{}), path, Job{From: 2, To: 3}))(t)
	require.Equal(t, []string{"2 two", "3 three"}, []string{fmt.Sprint(r.pages[0].Number, " ", r.pages[0].Text), fmt.Sprint(r.pages[1].Number, " ", r.pages[1].Text)})
	_, err := process(t, processor(Limits{}), path, Job{From: 2, To: 5})
	require.Contains(t, reason(t, err), "there are no pages 2 to 5")
}

func TestWatermark(t *testing.T) {
	t.Parallel()
	path := write(t, pdftest.Text("one", "two", "three"))
	plain := testrun.Must(process(t, processor(Limits{}), path, Job{}))(t)
	mark := Watermark{Text: "DRAFT", Opacity: 0.5, FontSize: 80, FirstOnly: true}
	first := testrun.Must(process(t, processor(Limits{}), path, Job{Watermark: &mark}))(t)
	mark.FirstOnly = false
	all := testrun.Must(process(t, processor(Limits{}), path, Job{Watermark: &mark}))(t)
	for i := range 3 {
		same := func(r *result) bool { return bytes.Equal(plain.pages[i].Images[1].JPEG, r.pages[i].Images[1].JPEG) }
		require.Equal(t, i > 0, same(first), "page %d", i+1)
		require.False(t, same(all), "page %d", i+1)
		require.Equal(t, plain.pages[i].Text, all.pages[i].Text, "the watermark is not part of the page's text")
	}
}

func TestPagesOfFiveMetresAndThreads(t *testing.T) {
	t.Parallel()
	const metre = 72 / 0.0254
	r, err := process(t, processor(Limits{}), write(t, pdftest.Document([]pdftest.Sheet{
		{Width: 5 * metre, Height: 5 * metre, Text: "Large"},
		{Width: 5 * metre, Height: 3, Text: "A thread"},
	})), Job{})
	require.NoError(t, err)
	requireImages(t, r.pages[0])
	require.Equal(t, "Large", r.pages[0].Text)
	for i, image := range r.pages[1].Images {
		require.Equal(t, Sizes[i].Longest, image.Width)
		require.Positive(t, image.Height)
	}
}

func TestDocumentsThatFail(t *testing.T) {
	t.Parallel()
	good := pdftest.Text("one", "two")
	for says, content := range map[string][]byte{
		"damaged or not complete": append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte("junk "), 1000)...),
		"cannot be read as a PDF": []byte("%PDF-"),
		"has no pages":            pdftest.Text(),
		"has 10000 pages":         pdftest.Document(make([]pdftest.Sheet, 10_000)),
	} {
		r, err := process(t, processor(Limits{}), write(t, content), Job{})
		require.Contains(t, reason(t, err), says)
		require.Empty(t, r.pages)
	}
	// A truncated PDF may still have pages, but no other ones.
	for cut := 0; cut < len(good); cut += 97 {
		r, err := process(t, processor(Limits{}), write(t, good[:cut]), Job{})
		if err != nil {
			require.NotEmpty(t, reason(t, err))
			continue
		}
		for i, p := range r.pages {
			require.Contains(t, []string{"", "one", "two"}[:i+2], p.Text)
		}
	}
}

func TestPassword(t *testing.T) {
	t.Parallel()
	qpdf := testrun.Program(t, "qpdf")
	plain := write(t, pdftest.Text("secret"))
	locked := filepath.Join(t.TempDir(), "locked.pdf")
	out, err := exec.Command(qpdf, "--encrypt", "user", "owner", "256", "--", plain, locked).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "secret", testrun.Must(process(t, processor(Limits{}), locked, Job{Password: "user"}))(t).pages[0].Text)
	_, err = process(t, processor(Limits{}), locked, Job{})
	require.Regexp(t, `needs a password.*--pdf-options`, reason(t, err))
	_, err = process(t, processor(Limits{}), locked, Job{Password: "wrong"})
	require.Contains(t, reason(t, err), "password does not open")
}

func TestPageThatTakesForEverIsKilled(t *testing.T) {
	t.Parallel()
	testrun.Must(process(t, processor(Limits{}), write(t, pdftest.Text("warm")), Job{}))(t)
	for says, limits := range map[string]Limits{
		"A page took longer than 1s of processor time": {Page: time.Second},
		"The PDF took longer than 1.5s":                {Total: 1500 * time.Millisecond},
	} {
		r, err := process(t, processor(limits), write(t, pdftest.Forever()), Job{})
		require.Contains(t, reason(t, err), says)
		require.LessOrEqual(t, len(r.pages), 1)
	}
}

func TestTooMuchMemoryIsAFailure(t *testing.T) {
	// A million rectangles in 60 KB.
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	block := bytes.Repeat([]byte("0 0 10 10 re f\n"), 1000)
	for range 1_000 {
		_, _ = z.Write(block)
	}
	require.NoError(t, z.Close())
	bomb := fmt.Appendf(nil, `%%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 600]/Resources<<>>/Contents 4 0 R>>endobj
4 0 obj<</Filter/FlateDecode/Length %d>>stream
%s
endstream endobj
trailer<</Root 1 0 R>>
`, packed.Len(), packed.Bytes())
	// Forms nested twelve deep, each of which draws the next ten times.
	var forms []string
	for i := range 12 {
		forms = append(forms, strings.Repeat(fmt.Sprintf("/X%d Do ", i+1), 10))
	}
	forms = append(forms, "0 0 10 10 re f")
	deep := pdftest.DocumentWith(forms, []pdftest.Sheet{{Content: "/X0 Do"}})
	for _, content := range [][]byte{bomb, deep} {
		_, err := process(t, processor(Limits{Memory: 256 << 20}), write(t, content), Job{})
		require.Contains(t, reason(t, err), "memory")
	}
}

func TestLimitsOfTextAndLinks(t *testing.T) {
	t.Parallel()
	path := write(t, pdftest.Document([]pdftest.Sheet{{Text: "some words", URI: "https://example.org/"}, {Text: "more words", URI: "https://example.org/"}}))
	_, err := process(t, processor(Limits{Text: 15}), path, Job{})
	require.Contains(t, reason(t, err), "bytes of text")
	_, err = process(t, processor(Limits{Links: 1}), path, Job{})
	require.Contains(t, reason(t, err), "more than 1 links")
}

// TestKilledWorkerIsNoFailureOfTheDocument checks that the error is not a Failure: the next attempt may succeed.
func TestKilledWorkerIsNoFailureOfTheDocument(t *testing.T) {
	path := write(t, pdftest.Text("one", "two", "three"))
	f := testrun.Must(os.Open(path))(t)
	defer f.Close()
	r := &result{}
	r.each = func(Page) error { return syscall.Kill(onlyChild(t), syscall.SIGKILL) }
	err := processor(Limits{}).Process(context.Background(), Job{}, f, r)
	var failure *Failure
	require.False(t, errors.As(err, &failure), "%v", err)
	require.ErrorContains(t, err, "killed")
}

// onlyChild returns the process id of this process's only child.
func onlyChild(t testing.TB) int {
	found := 0
	tasks := testrun.Must(filepath.Glob("/proc/self/task/*/children"))(t)
	for _, task := range tasks {
		children, _ := os.ReadFile(task) // the thread may have ended
		for _, child := range strings.Fields(string(children)) {
			testrun.Must(fmt.Sscan(child, &found))(t)
		}
	}
	require.NotZero(t, found)
	return found
}

func TestContextEndsTheWorker(t *testing.T) {
	f := testrun.Must(os.Open(write(t, pdftest.Forever())))(t)
	defer f.Close()
	ctx, cancel := context.WithCancel(context.Background())
	r := &result{begin: func() error { cancel(); return nil }}
	require.ErrorIs(t, processor(Limits{}).Process(ctx, Job{}, f, r), context.Canceled)
}

func TestErrorOfTheSinkEndsTheWorker(t *testing.T) {
	f := testrun.Must(os.Open(write(t, pdftest.Forever())))(t)
	defer f.Close()
	full := errors.New("disk full")
	r := &result{begin: func() error { return full }}
	require.ErrorIs(t, processor(Limits{}).Process(context.Background(), Job{}, f, r), full)
}
