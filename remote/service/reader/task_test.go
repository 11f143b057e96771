package reader_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// traced is an event of Chromium's trace.
type traced struct {
	Name, Ph string
	Pid, Tid int
	Tdur     float64 // processor time in microseconds
	Args     json.RawMessage
}

// longestTask returns the processor time of the longest main-thread task during do, in milliseconds. The
// browser's own list of long tasks has the time on the clock: on a busy machine, most of it is that of
// other programs.
func (b *tab) longestTask(do func()) (longest float64) {
	b.Helper()
	events, done := []traced{}, make(chan struct{}) // closed after the last event
	listening, stop := context.WithCancel(b.ctx)    // a later trace has its own listener
	defer stop()
	chromedp.ListenTarget(listening, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			for _, one := range e.Value {
				var event traced
				if json.Unmarshal(one, &event) == nil {
					events = append(events, event)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	})
	b.do(tracing.Start().WithTransferMode(tracing.TransferModeReportEvents).WithTraceConfig(&tracing.TraceConfig{IncludedCategories: []string{"toplevel"}, ExcludedCategories: []string{"*"}}))
	do()
	b.do(tracing.End())
	select {
	case <-done:
	case <-time.After(testrun.Patience()):
		require.FailNow(b, "the trace does not end")
	}
	type thread struct{ pid, tid int }
	main := map[thread]bool{}
	for _, e := range events {
		if e.Name == "thread_name" && bytes.Contains(e.Args, []byte(`"CrRendererMain"`)) {
			main[thread{e.Pid, e.Tid}] = true
		}
	}
	for _, e := range events {
		if e.Ph == "X" && main[thread{e.Pid, e.Tid}] {
			longest = max(longest, e.Tdur/1000)
		}
	}
	return longest
}

// TestTheLongestTaskIsFound checks that longestTask sees a task of the page.
func TestTheLongestTaskIsFound(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(2))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	const busy = `(() => { let n = 0; for (let i = 0; i < 3e7; i++) n += Math.sqrt(i); return n })()`
	// On a busy machine, the browser says that it records before the page's process does.
	for longest, end := 0., time.Now().Add(testrun.Patience()); longest <= 1; {
		longest = b.longestTask(func() { value[float64](b, busy) })
		require.True(t, longest > 1 || time.Now().Before(end), "the longest task takes %v ms", longest)
	}
}
