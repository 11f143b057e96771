package pdf

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

func TestMain(m *testing.M) {
	RunIfWorker()
	testrun.SideBySide(4)
	testrun.ShortWithout(notShort...)
	os.Exit(m.Run())
}

// processor returns a processor with ample time, unless limits say otherwise.
func processor(limits Limits) *Processor {
	if limits.Page == 0 {
		limits.Page = time.Hour
	}
	return &Processor{Cache: pdftest.Cache(), Command: pdftest.Command(), Limits: limits}
}

// result is a sink that records everything.
type result struct {
	announced    int
	tables       []Attachment
	tableFailure string
	pages        []Page
	outline      Outline
	wishes       Wishes
	begin        func() error // nil for none
	each         func(Page) error
}

func (r *result) Begin(pages int, tables []Attachment, failure string) error {
	r.tables, r.tableFailure = tables, failure
	r.announced = pages
	if r.begin != nil {
		return r.begin()
	}
	return nil
}

func (r *result) Page(p Page) error {
	r.pages = append(r.pages, p)
	if r.each != nil {
		return r.each(p)
	}
	return nil
}

func (r *result) End(o Outline, w Wishes) error { r.outline, r.wishes = o, w; return nil }

// process runs a job on a file.
func process(t testing.TB, p *Processor, path string, job Job) (*result, error) {
	t.Helper()
	f := testrun.Must(os.Open(path))(t)
	defer f.Close()
	r := &result{}
	return r, p.Process(context.Background(), job, f, r)
}

// write writes content to a new file.
func write(t testing.TB, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.pdf")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}

// reason returns the reason of a Failure. The error must be one.
func reason(t testing.TB, err error) string {
	t.Helper()
	var f *Failure
	require.True(t, errors.As(err, &f), "%v", err)
	return f.Reason
}

// TestCompilingIsNoPage checks that the limit of a page starts when PDFium runs, however long compiling takes.
func TestCompilingIsNoPage(t *testing.T) {
	t.Parallel()
	var sent bytes.Buffer
	out := gob.NewEncoder(&sent)
	for _, m := range []message{{Running: true}, {Pages: 1}, {Page: &Page{Number: 1, Text: "one", Images: make([]Image, len(Sizes))}}, {End: true}} {
		require.NoError(t, out.Encode(m))
	}
	p := processor(Limits{Page: 2 * time.Second})
	p.Command = []string{"/bin/sh", "-c", "sleep 3; exec cat " + write(t, sent.Bytes())}
	require.Len(t, testrun.Must(process(t, p, write(t, pdftest.Text("one")), Job{}))(t).pages, 1)
}

// requireImages checks the images of a page: their sizes, and that they are not
// blank.
func requireImages(t testing.TB, p Page) {
	t.Helper()
	require.Len(t, p.Images, len(Sizes))
	for i, image := range p.Images {
		decoded := testrun.Must(jpeg.Decode(bytes.NewReader(image.JPEG)))(t)
		b := decoded.Bounds()
		require.Equal(t, [2]int{image.Width, image.Height}, [2]int{b.Dx(), b.Dy()})
		require.Equal(t, Sizes[i].Longest, max(b.Dx(), b.Dy()))
		dark, light := 0, 0
		for y := b.Min.Y; y < b.Max.Y; y += 3 {
			for x := b.Min.X; x < b.Max.X; x += 3 {
				if r, g, b, _ := decoded.At(x, y).RGBA(); r+g+b < 3*0xc000 {
					dark++
				} else {
					light++
				}
			}
		}
		require.Positive(t, dark, "page %d, image %d is blank", p.Number, i)
		require.Greater(t, light, dark, "page %d, image %d is dark", p.Number, i)
	}
}
