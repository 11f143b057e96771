// Package browsertest starts one Chromium for all tests of a package: to start one takes longer than most of them.
//
// Lock: one, a leaf.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"paperfs/remote/testrun"
)

// one is the Chromium of all tests.
var one = struct {
	sync.Mutex
	ctx  context.Context // nil until it has started; it ends with the browser
	stop func()
	said atomic.Value // chromedp's last error; set while the lock is held, too
}{stop: func() {}}

// Program returns the path of a Chromium; a test ends without one. The one that has no windows draws pages as the
// other does, and takes half of the processor's time. Debian's script of its name would end without it.
func Program(t testing.TB) string {
	t.Helper()
	return testrun.Program(t, "/usr/lib/chromium/chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome")
}

// Start starts Chromium for the first test that opens a tab, and again if it has ended: then the
// tests whose tabs it had fail, and no others.
func Start(t testing.TB) context.Context {
	t.Helper()
	program := Program(t)
	one.Lock()
	defer one.Unlock()
	if one.ctx != nil && one.ctx.Err() == nil {
		return one.ctx
	}
	if one.ctx != nil {
		t.Logf("Chromium has ended: %v", one.said.Load())
	}
	one.stop()
	dir := testrun.Must(os.MkdirTemp("", "paperfs-browser-"))(t)
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(program), chromedp.UserDataDir(dir), chromedp.Headless, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.DisableGPU, chromedp.NoSandbox, chromedp.WSURLReadTimeout(testrun.Patience()), chromedp.Env("HOME="+dir, "TZ=Europe/Berlin"),
		chromedp.Flag("blink-settings", "lazyLoadingImageMarginPxUnknown=1250,lazyLoadingImageMarginPx4G=1250")} // what users' browsers have, for how near a picture loads
	for _, flag := range []string{"disable-dev-shm-usage", "disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "hide-scrollbars", "mute-audio",
		"disable-backgrounding-occluded-windows", "disable-renderer-backgrounding", "disable-background-timer-throttling"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	// Most of what chromedp says is about events that are newer than it.
	ctx, stop := chromedp.NewContext(allocator, chromedp.WithErrorf(func(format string, args ...any) { one.said.Store(fmt.Sprintf(format, args...)) }))
	one.stop = func() {
		stop()
		stopAllocator()
		_ = os.RemoveAll(dir)
	}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // chromedp has the kernel kill Chromium when the thread that starts it ends, and the service's jobs end threads
		started <- chromedp.Run(ctx)
		<-ctx.Done()
	}()
	if err := <-started; err != nil {
		t.Fatalf("Chromium does not start: %v", err)
	}
	one.ctx = ctx
	return ctx
}

// Stop ends the browser. A TestMain calls it after its tests.
func Stop() { one.stop() }
