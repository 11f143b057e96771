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
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

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
