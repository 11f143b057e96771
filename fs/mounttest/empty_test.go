package mounttest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAnEmptyFileWaitsForTheService checks that an empty file is sent in the background after its
// last close, so that it waits like a queued file while a proxy cannot reach the service.
func TestAnEmptyFileWaitsForTheService(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.proxy.Fail(remote.UploadFile, -1, http.StatusBadGateway)
	m.sh(`touch media/empty`)
	m.eventually(`grep -q "upload media/empty .*502" .paperfs/errors`)
	require.Equal(t, "empty", m.sh(`ls media; ls .paperfs/failed`))
	m.proxy.Heal()
	m.sh(`"$PAPERFS" retry . && "$PAPERFS" wait .`)
	require.Equal(t, "empty", m.sh(`ls media; ls .paperfs/failed`))
	require.Len(t, testrun.Must(m.client().GetTree(t.Context()))(t).Files, 1)
}

// TestWhyAnEmptyPDFMakesNoPages checks that why of an empty PDF, and of its paper, says that nothing
// was sent, though the close succeeded, which is no failure: browsers make a file first, and fill it later.
func TestWhyAnEmptyPDFMakesNoPages(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.sh(`: > "$HOME/none.pdf"; mkdir papers/C papers/C/X.paper papers/C/T.paper
		cp "$HOME/none.pdf" papers/C/X.paper/source.pdf; cp "$HOME/none.pdf" papers/C/New.pdf; cp "$HOME/none.pdf" papers/C/T.paper/.a.part; mv papers/C/T.paper/.a.part papers/C/T.paper/source.pdf`)
	for _, path := range []string{"X.paper", "X.paper/source.pdf", "X.pdf", "New.pdf", "New.paper", "T.paper"} {
		m.eventually(`{ "$PAPERFS" why papers/C/` + path + ` 2>&1 || :; } | grep -q 'empty .*0 bytes.* succeeds, and'`)
	}
	assert.Empty(t, m.sh(`cat .paperfs/errors`))
	m.sh(`cp "$HOME/one.pdf" papers/C/X.paper/source.pdf; "$PAPERFS" wait papers/C/X.paper`)
	assert.NotContains(t, m.sh(`"$PAPERFS" why papers/C/X.paper`), "empty")
	assert.Equal(t, "T.paper\nX.paper", m.sh(`ls papers/C`))
}

// TestADownloadOfFirefox does in media/ what Firefox 153 does: during a download, an empty file
// reserves its name. The mount does not publish that file, so that a cancelled download can be removed.
func TestADownloadOfFirefox(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	begins := `set -o noclobber; : > 0Ux1eaLa.pdf; rm 0Ux1eaLa.pdf; echo one > 0Ux1eaLa.pdf.part; : > Slow.pdf
		mv 0Ux1eaLa.pdf.part Slow.0Me9uXYU.pdf.part; echo two >> Slow.0Me9uXYU.pdf.part`
	waits := `"$PAPERFS" status . | grep 'Slow.pdf: waits: it is empty and will be sent when its download (Slow.0Me9uXYU.pdf.part) ends'`
	m.sh(`mkdir media/dl; cd media/dl; ` + begins)
	m.eventually(waits)
	m.sh(`cd media/dl; rm Slow.0Me9uXYU.pdf.part Slow.pdf`)
	require.Zero(t, m.proxy.Count(remote.UploadFile))
	require.Empty(t, m.sh(`"$PAPERFS" wait .; ls media/dl; cat .paperfs/errors`))

	m.sh(`cd media/dl; ` + begins)
	m.eventually(waits)
	m.sh(`cd media/dl; mv Slow.0Me9uXYU.pdf.part Slow.pdf; "$PAPERFS" wait .`)
	require.Equal(t, 1, m.proxy.Count(remote.UploadFile))
	require.Equal(t, "one\ntwo", m.sh(`cat media/dl/*`))
}

// TestAPartOfTheFutureHoldsNothingBack checks that a .part file with a time in the future delays
// nothing. A program, or a clock that was set back, may leave one.
func TestAPartOfTheFutureHoldsNothingBack(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`cd media; echo one > Slow.0Me9uXYU.pdf.part; touch -d '2 days' Slow.0Me9uXYU.pdf.part; : > Slow.pdf; "$PAPERFS" wait .`)
	require.Equal(t, 1, m.proxy.Count(remote.UploadFile))
}

// chromium is a Chromium whose settings save downloads in a directory of the mount.
type chromium struct {
	t   *testing.T
	ctx context.Context
}

func newChromium(t *testing.T, downloads string) chromium {
	t.Helper()
	program := testrun.Program(t, "chromium")
	home := t.TempDir()
	settings, err := json.Marshal(map[string]any{
		"download": map[string]any{"default_directory": downloads, "prompt_for_download": false},
		"plugins":  map[string]any{"always_open_pdf_externally": true},
	})
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(home, "Default"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(home, "Default", "Preferences"), settings, 0o600))
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(program), chromedp.UserDataDir(home), chromedp.Headless, chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck, chromedp.DisableGPU, chromedp.NoSandbox, chromedp.WSURLReadTimeout(testrun.Patience()), chromedp.Env("HOME=" + home)}
	for _, flag := range []string{"disable-dev-shm-usage", "disable-quic", "disable-background-networking", "disable-component-update", "disable-sync"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	limited, cancel := context.WithTimeout(context.Background(), testrun.Patience())
	allocator, stopAllocator := chromedp.NewExecAllocator(limited, options...)
	ctx, stop := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(func() {
		stop()
		stopAllocator()
		cancel()
	})
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // chromedp has the kernel kill Chromium when the thread that starts it ends, and the service's jobs end threads
		started <- chromedp.Run(ctx)
		<-ctx.Done()
	}()
	require.NoError(t, <-started, "Chromium does not start")
	return chromium{t, ctx}
}

// download starts a download, which Chromium reports as an aborted navigation.
func (c chromium) download(address string) (id string) {
	c.t.Helper()
	began := make(chan string, 1)
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	chromedp.ListenTarget(ctx, func(event any) {
		if e, ok := event.(*browser.EventDownloadWillBegin); ok {
			began <- e.GUID
		}
	})
	require.NoError(c.t, chromedp.Run(c.ctx, browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorDefault).WithEventsEnabled(true)))
	_ = chromedp.Run(c.ctx, chromedp.Navigate(address))
	select {
	case id = <-began:
	case <-c.ctx.Done():
		require.FailNow(c.t, "the download does not begin")
	}
	return id
}

// slowly serves a PDF under each name: one half at once, and the other when rest is closed.
func slowly(t *testing.T, pdf []byte) (address string, rest chan struct{}) {
	rest = make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Disposition", "attachment")
		w.Header().Set("Content-Length", strconv.Itoa(len(pdf)))
		_, _ = w.Write(pdf[:len(pdf)/2])
		_ = http.NewResponseController(w).Flush()
		select {
		case <-rest:
			_, _ = w.Write(pdf[len(pdf)/2:])
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.CloseClientConnections)
	t.Cleanup(server.Close)
	return server.URL, rest
}

// TestADownloadOfChromium checks that a PDF that Chromium saves in a category or a paper is sent
// once it is complete, under its own name. Until then it stays on this machine; a canceled one
// leaves nothing.
func TestADownloadOfChromium(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "starts a browser")
	pdf := bytes.Join([][]byte{pdfOf(t, 2, 0), bytes.Repeat([]byte("% a comment\n"), 20000)}, nil)
	for _, place := range []struct{ dir, shown, pages string }{
		{"papers/C", "papers/C/Spring.pdf", "papers/C/Spring.paper/pages"},
		{"papers/C/X.paper", "papers/C/X.paper/source.pdf", "papers/C/X.paper/pages"},
	} {
		t.Run(place.dir, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh("mkdir -p papers/C/X.paper")
			c := newChromium(t, filepath.Join(m.dir, place.dir))
			address, rest := slowly(t, pdf)
			m.proxy.Reset()
			unfinished := `"$PAPERFS" status --local . | grep -E '^` + place.dir + `/.*\.crdownload '`

			id := c.download(address + "/Cancelled.pdf")
			m.eventually(unfinished)
			require.NoError(t, chromedp.Run(c.ctx, chromedp.ActionFunc(func(ctx context.Context) error { return browser.CancelDownload(id).Do(ctx) })))
			m.eventually("! " + unfinished)
			require.Empty(t, m.asked())

			c.download(address + "/Spring.pdf")
			m.eventually(unfinished)
			require.Empty(t, m.asked())
			close(rest)
			m.eventually("test -s " + place.shown)
			m.sh(`"$PAPERFS" wait ` + place.shown)
			require.Equal(t, 1, m.proxy.Count(remote.ProcessPDF))
			require.Equal(t, pdf, []byte(m.sh("cat "+place.shown+"; echo")))
			require.Equal(t, "001\n002", m.sh("ls "+place.pages))
			require.Empty(t, m.sh(`cat .paperfs/errors; ls .paperfs/failed; "$PAPERFS" status --local .`))
		})
	}
}
