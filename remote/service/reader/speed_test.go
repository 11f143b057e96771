package reader_test

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// timing makes the browser record what the time budgets limit.
const timing = `window.largest = 0; window.shifted = 0
new PerformanceObserver(list => { for (const e of list.getEntries()) if (!e.hadRecentInput) shifted += e.value }).observe({type: 'layout-shift', buffered: true})
new PerformanceObserver(list => { for (const e of list.getEntries()) largest = e.startTime }).observe({type: 'largest-contentful-paint', buffered: true})`

// paging turns views, one every eighteen frames, and returns the frames' durations.
const paging = `new Promise(done => {
	const frames = [], main = document.querySelector('main')
	let last = 0, left = 30 * 18
	requestAnimationFrame(function frame(now) {
		if (last) frames.push(now - last)
		last = now
		if (left-- % 18 === 0) document.querySelector('#next').click()
		if (left) requestAnimationFrame(frame)
		else done(frames.sort((a, b) => a - b)[Math.floor(frames.length * .95)])
	})
})`

// jump goes to a distant page, and returns the time until its picture is loaded.
const jump = `new Promise(done => {
	const begin = performance.now(), img = document.querySelector('#p250 img')
	const look = () => img.complete && img.naturalWidth ? done(performance.now() - begin) : requestAnimationFrame(look)
	location.hash = 'p250'
	look()
})`

// measured opens a tab that records times.
func (s screen) measured(b *testing.B) *tab {
	one := s.open(b)
	one.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(timing).Do(ctx)
		return err
	}))
	return one
}

// slowly limits a tab to slow 4G and a quarter of the processor.
func (b *tab) slowly() {
	b.do(network.SetCacheDisabled(true), emulation.SetCPUThrottlingRate(4), chromedp.ActionFunc(func(ctx context.Context) error {
		all := &network.Conditions{Latency: 150, DownloadThroughput: 1_600_000 / 8, UploadThroughput: 750_000 / 8}
		_, err := network.EmulateNetworkConditionsByRule(false, []*network.Conditions{all}).Do(ctx)
		return err
	}))
}

// BenchmarkReading measures a paper of three hundred pages in a browser. The budgets: with slow
// 4G and a quarter of the processor, the largest picture within 1,500 ms and layout shifts of at
// most 0.02; while turning pages, 95 of 100 frames within 34 ms and no task with 50 ms of processor time; 500 ms to
// a distant page.
func BenchmarkReading(b *testing.B) {
	l := open(b)
	l.paper("book", booklet(300))
	for name, on := range map[string]screen{"desktop": desktop, "phone": phone} {
		b.Run(name, func(b *testing.B) {
			var largest, shift, frame, far, task, heap float64
			for b.Loop() {
				slow := on.measured(b)
				slow.slowly()
				slow.visit(l.URL + "/book/")
				slow.frames()
				largest += value[float64](slow, `largest`)
				shift = max(shift, value[float64](slow, `shifted`))

				fast := on.measured(b)
				fast.visit(l.URL + "/book/")
				fast.firstView()
				task = max(task, fast.longestTask(func() { frame += value[float64](fast, paging) }))
				fast.visit(l.URL + "/book/?again")
				far += value[float64](fast, jump)
				fast.do(chromedp.ActionFunc(func(ctx context.Context) error {
					used, _, _, _, err := runtime.GetHeapUsage().Do(ctx)
					heap = used
					return err
				}))
			}
			n := float64(b.N)
			b.ReportMetric(largest/n, "ms-largest-paint")
			b.ReportMetric(shift, "layout-shift")
			b.ReportMetric(frame/n, "ms-frame-p95")
			b.ReportMetric(task, "ms-longest-task")
			b.ReportMetric(far/n, "ms-far-page")
			b.ReportMetric(heap/1e6, "MB-script-heap")
		})
	}
}
