package reader_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// longPress holds a finger down until the browser's own gesture has selected something. It emulates the
// touch by mouse: raw touches through DevTools trigger no gesture. The browser answers this command only
// when its context menu closes, which never happens in the test, so longPress does not wait for the answer.
func (b *tab) longPress(x, y float64) {
	b.Helper()
	b.do(emulation.SetEmitTouchEventsForMouse(true).WithConfiguration(emulation.SetEmitTouchEventsForMouseConfigurationMobile))
	mouse := func(kind input.MouseType) {
		ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
		go func() {
			defer cancel()
			_ = chromedp.Run(ctx, input.DispatchMouseEvent(kind, x, y).WithButton(input.Left).WithButtons(1).WithClickCount(1))
		}()
	}
	const selected = `new Promise(done => {
		const end = setTimeout(() => done(false), 3000)
		const look = () => getSelection().toString() ? (clearTimeout(end), done(true)) : requestAnimationFrame(look)
		look()
	})`
	for end := time.Now().Add(testrun.Patience()); ; { // a new tab may lose the first press
		mouse(input.MousePressed)
		found := value[bool](b, selected)
		mouse(input.MouseReleased)
		if found {
			break
		}
		require.True(b, time.Now().Before(end), "a long press selects nothing")
	}
	b.do(emulation.SetEmitTouchEventsForMouse(false))
}

// TestAFingerSelectsAWord checks that a long press on a page's picture selects the word under it with the
// browser's own selection. Its handles move the ends, and copying yields the lines.
func TestAFingerSelectsAWord(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", pdftest.Document([]pdftest.Sheet{{Text: "Touchable words are here\nand on another line"}, {Text: "Two"}}))
	b := phone.open(t)
	b.visit(l.URL + "/book/")
	left, right, line := b.lines("1", 0)
	_, end, second := b.lines("1", 1)
	b.longPress(left+(right-left)*.5, line)
	require.Equal(t, "words", value[string](b, `getSelection().toString()`))
	b.picture("long press")
	b.copied("words")
	box := value[[]float64](b, `(() => { const r = getSelection().getRangeAt(0).getBoundingClientRect(); return [r.left, r.right, r.top, r.bottom] })()`)
	require.Less(t, box[0], left+(right-left)*.5)
	require.Greater(t, box[1], left+(right-left)*.5)
	require.Less(t, box[2], line)
	require.Greater(t, box[3], line)
	require.Less(t, box[1]-box[0], (right-left)*.4, "the selection is one word of four")

	// A handle sets an end where the finger releases it: there is text that may be selected.
	b.do(chromedp.Evaluate(fmt.Sprintf(`(() => {
		const end = document.caretRangeFromPoint(%g, %g)
		getSelection().extend(end.startContainer, end.startOffset)
	})()`, end-2, second), nil))
	require.Equal(t, "text", value[string](b, fmt.Sprintf(`getComputedStyle(document.elementFromPoint(%g, %g)).userSelect`, left+20, second)))
	b.until(`(() => {
		const data = new DataTransfer()
		getSelection().anchorNode.parentElement.dispatchEvent(new ClipboardEvent('copy', {clipboardData: data, cancelable: true, bubbles: true}))
		return /^words are here\nand on another l/.test(data.getData('text/plain'))
	})()`)

	// No style prevents the browser's own pinch zoom. (In this browser, pinching zooms no page.)
	for _, where := range []string{"main", "#p1", "#p1 svg", "#p1 .layer", "#p1 .layer text"} {
		require.Equal(t, "auto", value[string](b, fmt.Sprintf(`getComputedStyle(document.querySelector(%q)).touchAction`, where)), where)
	}

	// A swipe over text turns the page.
	b = phone.open(t)
	b.visit(l.URL + "/book/")
	b.do(input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: left + 20, Y: line}}))
	b.until(`document.documentElement.classList.contains('selecting')`)
	b.do(input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
	b.swipe(300, 40)
	b.place("Page 2 of 2")
}
