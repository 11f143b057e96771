package apitest

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// countWorkers makes a service count the PDF workers that it starts.
func countWorkers(t *testing.T) (count func() int, change func(*service.Options)) {
	list := filepath.Join(t.TempDir(), "workers")
	count = func() int {
		return bytes.Count(testrun.Must(os.ReadFile(list))(t), []byte("\n"))
	}
	return count, func(o *service.Options) {
		o.PDFWorker = append([]string{"/bin/sh", "-c", `echo >> "$0"; exec "$@"`, list}, servicetest.PDFWorker()...)
	}
}

// larger returns the path of a tile of a page, as the reader's script makes it: one that has a quarter of it.
func (s *server) larger(path string, number int) string {
	s.t.Helper()
	at := imageSource.FindAllStringSubmatch(s.visit(path).body, -1)[number-1][1]
	path, _, _ = strings.Cut(path, "?")
	return path + strings.Replace(strings.ReplaceAll(at, "&amp;", "&"), "ImageType=Normal", "ImageType=Tile200", 1)
}

// differs returns by how much all tiles of a page differ from its stored picture, from the path of one of them: of the means
// of a hundred by a hundred places, the largest difference.
func (s *server) differs(at string, times int) (most int) {
	s.t.Helper()
	stored := grey(s.t, s.visit(with(at, "ImageType", "Zoom")).body)
	var all *image.Gray
	for row := range times {
		for column := range times {
			r := s.visit(with(at, "ImageType", fmt.Sprintf("Tile%d%d%d", times, column, row)))
			require.Equal(s.t, http.StatusOK, r.status, r.body)
			tile := grey(s.t, r.body)
			width, height := tile.Rect.Dx(), tile.Rect.Dy()
			if all == nil {
				all = image.NewGray(image.Rect(0, 0, times*width, times*height))
			}
			require.InDelta(s.t, 1280, max(width, height), 1)
			draw.Draw(all, tile.Rect.Add(image.Pt(column*width, row*height)), tile, image.Point{}, draw.Src)
		}
	}
	for place := range 100 * 100 {
		by := mean(stored, place%100, place/100) - mean(all, place%100, place/100)
		most = max(most, by, -by)
	}
	return most
}

// mean returns the mean of the pixels of one of a hundred by a hundred places.
func mean(of *image.Gray, column, row int) int {
	sum, n := 0, 0
	for y := of.Rect.Dy() * row / 100; y < of.Rect.Dy()*(row+1)/100; y++ {
		for x := of.Rect.Dx() * column / 100; x < of.Rect.Dx()*(column+1)/100; x++ {
			sum, n = sum+int(of.GrayAt(x, y).Y), n+1
		}
	}
	return sum / n
}

func grey(t testing.TB, text string) *image.Gray {
	t.Helper()
	decoded := testrun.Must(jpeg.Decode(strings.NewReader(text)))(t)
	require.IsType(t, &image.Gray{}, decoded)
	return decoded.(*image.Gray)
}

// TestALargerPictureIsServedAsTheStoredOnes checks headers, ranges and validators. Whoever has it, or cannot see it, makes
// nobody draw it.
func TestALargerPictureIsServedAsTheStoredOnes(t *testing.T) {
	t.Parallel()
	count, change := countWorkers(t)
	s := start(t, change)
	paper := s.paper(s.root(), "one")
	s.process(paper, pdftest.Text("first", "second"), "")
	at := s.larger("/one/", 2)
	before := count()
	r := s.visit(at)
	require.Equal(t, http.StatusOK, r.status, r.body)
	stored := s.visit(with(at, "ImageType", "Zoom"))
	for _, times := range []int{2, 4} {
		require.Less(t, s.differs(at, times), 30)
	}
	before += 3 + 16
	for _, none := range []string{"Tile", "Tile300", "Tile880", "Tile220", "Tile404", "Tile4000", "Tile4/0", "Larger"} {
		require.Equal(t, http.StatusNotFound, s.visit(with(at, "ImageType", none)).status, none)
	}
	for _, name := range []string{"Content-Type", "X-Content-Type-Options", "Cache-Control", "Accept-Ranges"} {
		require.Equal(t, stored.header.Get(name), r.header.Get(name), name)
	}
	require.NotEqual(t, stored.header.Get("ETag"), r.header.Get("ETag"))
	part := s.get(s.http.URL+at, "Range", "bytes=10-19")
	require.Equal(t, http.StatusPartialContent, part.status)
	require.Equal(t, r.body[10:20], part.body)
	require.Equal(t, http.StatusNotModified, s.get(s.http.URL+s.larger("/one/", 1), "If-None-Match", "*").status)
	require.Equal(t, http.StatusNotModified, s.get(s.http.URL+at, "If-None-Match", r.header.Get("ETag")).status)
	require.Equal(t, r.body, s.get(s.http.URL+at, "If-None-Match", "x, "+r.header.Get("ETag")).body, "ServeContent reads no list that begins so")
	require.Equal(t, before+1, count())
}

// TestALargerPictureIsForThoseWhoSeeThePaper checks that the service refuses a larger picture to all others, however they ask.
func TestALargerPictureIsForThoseWhoSeeThePaper(t *testing.T) {
	t.Parallel()
	s, set, one, _ := published(t)
	at, signed := s.larger("/one/", 1), s.pages(one)[0].Images[0].URL
	require.Equal(t, "public, max-age=86400, immutable", s.visit(at).header.Get("Cache-Control"))
	gone := func(at string) {
		t.Helper()
		r := s.visit(at)
		require.Equal(t, http.StatusNotFound, r.status, at)
		require.Equal(t, "no-store", r.header.Get("Cache-Control"))
	}
	gone(with(strings.TrimPrefix(signed, s.http.URL), "ImageType", "Tile200")) // what was signed is another type
	gone(strings.Replace(at, "/one/", "/two/", 1))
	s.must(remote.SetPublicationPeriod, "paperID", one, "from", "2031-01-01", "to", "2031-05-04 11:00:00")
	require.Equal(t, "public, max-age=3600, immutable", s.visit(at).header.Get("Cache-Control"))
	token := s.must(remote.CreatePreviewToken, "paperID", one, "validityMinutes", "90", "ip", "").element(t, "token")
	set("2031-05-04 11:00:00")
	gone(at) // though it is cached
	gone(at + "&SecurityToken=" + strings.Repeat("0", len(token)))
	preview := s.larger("/one/?SecurityToken="+token, 1)
	require.Equal(t, "private, max-age=1800, immutable", s.visit(preview).header.Get("Cache-Control"))
	set("2031-05-04 11:30:00")
	gone(preview)

	require.NoError(t, s.admin().AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{"acme.example"}}))
	s.must(remote.SetPublicationPeriod, "paperID", one, "from", "2031-01-01", "to", "2032-01-01")
	require.Equal(t, http.StatusOK, s.visit(at).status)
	require.Equal(t, http.StatusNotFound, s.at("acme.example").get(s.http.URL+at).status)
	s.process(one, pdftest.Text("new"), "")
	gone(at)
	require.Equal(t, http.StatusOK, s.visit(s.larger("/one/", 1)).status)
}

// TestRequestsShareALargerPicture checks that many requests at the same time, and later ones, start one worker; and that
// those that wait get it though the one that asked first has left.
func TestRequestsShareALargerPicture(t *testing.T) {
	t.Parallel()
	count, change := countWorkers(t)
	s := start(t, change)
	s.process(s.paper(s.root(), "one"), pdftest.Text("first", "second"), "")
	at, before := s.larger("/one/", 1), count()
	var all sync.WaitGroup
	var replies [6]reply
	for i := range replies {
		all.Go(func() { replies[i] = s.visit(at) })
	}
	all.Wait()
	for _, r := range append(replies[:], s.visit(at)) {
		require.Equal(t, http.StatusOK, r.status)
		require.True(t, r.body == replies[0].body)
	}
	require.Equal(t, before+1, count())
}

// TestAClientThatLeavesEndsItsLargerPicture checks that its worker ends, and that another client that waits for the same
// picture gets it.
func TestAClientThatLeavesEndsItsLargerPicture(t *testing.T) {
	t.Parallel()
	hangs := filepath.Join(t.TempDir(), "hangs")
	s := start(t, func(o *service.Options) {
		o.PDFWorker = append([]string{"/bin/sh", "-c", `if mv "$0" "$0.did" 2>/dev/null; then exec sleep 1000; fi; exec "$@"`, hangs}, servicetest.PDFWorker()...)
	})
	s.process(s.paper(s.root(), "one"), pdftest.Text("first"), "")
	at := s.larger("/one/", 1)
	require.NoError(t, os.WriteFile(hangs, nil, 0o600))
	ctx, leave := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.http.URL+at, nil)
		assert.NoError(t, err)
		_, err = http.DefaultClient.Do(request)
		assert.ErrorIs(t, err, context.Canceled)
	})
	require.Eventually(t, func() bool { _, err := os.Stat(hangs + ".did"); return err == nil }, testrun.Patience(), time.Millisecond)
	all.Go(func() { assert.Equal(t, http.StatusOK, s.visit(at).status) })
	leave()
	all.Wait()
}

// TestALargerPictureIsMadeAsTheStoredOne checks pages of a part of a PDF, and watermarks. A picture that was stored before
// the service kept how it was made has a larger one only if drawing it again gives the same.
func TestALargerPictureIsMadeAsTheStoredOne(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.place().Embedded(t, "it changes files of content")
	paper := s.paper(s.root(), "one")
	document := pdftest.Text(strings.Repeat("one\n", 20), strings.Repeat("another one\n", 30), strings.Repeat("three threes\n", 9))
	mark := func(first string) string {
		return "<preprocessors><preprocessor name='watermark'><text>DRAFT COPY</text><opacity>0.9</opacity><font-size>90</font-size><only-first-page>" + first + "</only-first-page></preprocessor></preprocessors>"
	}
	const part = "<all-pages>false</all-pages><pages-from>2</pages-from><pages-to>3</pages-to>"
	for options, older := range map[string]int{"": http.StatusOK, mark("false"): http.StatusNotFound, part + mark("true"): http.StatusNotFound} {
		s.process(paper, document, pdfOptions(options))
		for _, number := range []int{1, 2} {
			at := s.larger("/one/", number)
			require.Less(t, s.differs(at, 2), 30, "%s %d", options, number)
		}
		for path, content := range s.contentFiles() { // of older pictures, it is not kept how they are made
			if how := strings.Index(content, "\xff\xd8"); how > 0 && strings.HasPrefix(content, `{"From"`) {
				require.NoError(t, os.WriteFile(path, []byte(strings.Repeat(" ", how)+content[how:]), 0o600))
			}
		}
		s.reopen() // with nothing cached
		require.Equal(t, older, s.visit(s.larger("/one/", 1)).status, options)
	}
}

// TestALargerPictureWithoutItsSource checks that the service answers 404 where the PDF is missing, or needs a password, which
// the service does not keep.
func TestALargerPictureWithoutItsSource(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.place().Embedded(t, "it removes a file of content")
	paper := s.paper(s.root(), "one")
	locked := filepath.Join(t.TempDir(), "locked.pdf")
	program := testrun.Program(t, "qpdf")
	require.NoError(t, os.WriteFile(locked, pdftest.Text("secret"), 0o600))
	out, err := exec.Command(program, "--encrypt", "user", "owner", "256", "--", "--replace-input", locked).CombinedOutput()
	require.NoError(t, err, "%s", out)
	text := testrun.Must(os.ReadFile(locked))(t)
	s.process(paper, text, pdfOptions("<password>user</password>"))
	require.Equal(t, http.StatusNotFound, s.visit(s.larger("/one/", 1)).status)

	s.process(paper, pdftest.Text("first"), "")
	for path, content := range s.contentFiles() {
		if strings.HasPrefix(content, "%PDF") {
			require.NoError(t, os.Remove(path))
		}
	}
	require.Equal(t, http.StatusNotFound, s.visit(s.larger("/one/", 1)).status)
}

// TestPapersDoNotHoldUpLargerPictures checks that they are drawn while papers take all places: a reader waits for them.
func TestPapersDoNotHoldUpLargerPictures(t *testing.T) {
	t.Parallel()
	count, change := countWorkers(t)
	s := start(t, change, func(o *service.Options) { o.PDFJobs = 1 })
	s.process(s.paper(s.root(), "one"), pdftest.Text("first"), "")
	at := s.larger("/one/", 1)
	job := s.queue(s.paper(s.root(), "stuck"), pdftest.Forever(), "")
	require.Eventually(t, func() bool { return count() == 2 }, testrun.Patience(), time.Millisecond)
	require.Equal(t, http.StatusOK, s.visit(at).status)
	require.Contains(t, s.must(remote.GetProcessingStatus, "jobGuid", job).data, string(remote.JobPending))
}
