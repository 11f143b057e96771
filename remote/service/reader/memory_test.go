package reader_test

import (
	"context"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// largePictures has the numbers of the pages whose pictures are not the small ones.
const largePictures = `[...document.querySelectorAll('main img')].filter(i => i.currentSrc && !i.currentSrc.includes('Thumb')).map(i => Number(i.closest('article').id.slice(1)))`

// TestFewPicturesAreLarge checks that only the view and those beside it have large pictures, however many pages
// were read, and that a page is sharp again when the reader comes back to it.
func TestFewPicturesAreLarge(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(60))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	sharp := func(numbers ...int) {
		t.Helper()
		for _, n := range numbers {
			b.until(fmt.Sprintf(`(i => i.complete && i.naturalWidth && !i.currentSrc.includes('Thumb'))(document.querySelector('#p%d img'))`, n))
		}
	}
	for n := 2; n <= 24; n += 2 {
		b.press(kb.ArrowRight)
		b.place(fmt.Sprintf("Pages %d–%d of 60", n, n+1))
		sharp(n, n+1)
	}
	sharp(26, 27)
	require.Equal(t, []int{22, 23, 24, 25, 26, 27}, value[[]int](b, largePictures))
	b.do(chromedp.Evaluate(`location.hash = 'p2'`, nil))
	b.place("Pages 2–3 of 60")
	sharp(2, 3, 4, 5, 1)
	require.Equal(t, []int{1, 2, 3, 4, 5}, value[[]int](b, largePictures))
	b.press("+")
	b.until(`document.querySelector('#p2 img').currentSrc.includes('Zoom') && document.querySelector('#p2 img').complete`)
	b.press(kb.Escape)
	b.press(kb.PageDown + kb.PageDown + kb.PageDown + kb.PageDown)
	b.place("Pages 10–11 of 60")
	b.until(`document.querySelector('#p2 img').currentSrc.includes('Thumb')`)
}

// TestPagesThatWereReadTakeLittleMemory checks what the document holds of pages that were read: few large pictures, and
// hidden texts that are laid out in lines. In a box of a pixel's width, each letter is a line: 0.4 MB a page.
func TestPagesThatWereReadTakeLittleMemory(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("manual", manual(60))
	b := desktop.open(t)
	b.visit(l.URL + "/manual/")
	for n := 2; n <= 40; n += 2 {
		b.press(kb.ArrowRight)
		b.until(fmt.Sprintf(`(i => i.complete && !i.currentSrc.includes('Thumb'))(document.querySelector('#p%d img'))`, n))
		b.until(fmt.Sprintf(`document.querySelector('#p%d .words').textContent.includes('last%d')`, n, n))
	}
	b.until(`document.querySelector('#p42 img').complete && !document.querySelector('#p42 img').currentSrc.includes('Thumb')`)
	require.Len(t, value[[]int](b, largePictures), 6, "the view and those beside it")
	lines := value[int](b, `(() => {
		const range = document.createRange()
		range.selectNodeContents(document.querySelector('#p20 .said'))
		return range.getClientRects().length
	})()`)
	require.LessOrEqual(t, lines, 150, "lines of a text")
}

// TestPassedPicturesAreNotLoaded checks that a reader who leafs loads the pictures of the view that is reached, and
// not those of the pages between.
func TestPassedPicturesAreNotLoaded(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(60))
	b := desktop.open(t)
	b.visit(l.URL + "/book/?Page=20")
	b.press("Shift")
	b.until(`(i => i.complete && i.currentSrc.includes('Normal'))(document.querySelector('#p23 img'))`)
	b.do(network.SetCacheDisabled(true), chromedp.Evaluate(`for (let i = 0; i < 8; i++) document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true, cancelable: true}))`, nil))
	b.place("Pages 36–37 of 60")
	b.until(`['#p36', '#p37', '#p38', '#p39'].every(p => (i => i.complete && i.naturalWidth && i.currentSrc.includes('Normal'))(document.querySelector(p + ' img')))`)
	loaded := value[[]string](b, `performance.getEntriesByType('resource').filter(e => e.name.includes('ImageType=Normal')).map(e => document.querySelector('main img[srcset*="' + new URL(e.name).search.split('&')[0] + '&"]').closest('article').id)`)
	for n := 24; n < 34; n++ {
		require.NotContains(t, loaded, fmt.Sprintf("p%d", n))
	}
}

// TestPrintingBeforeAnyInput checks that the browser's own printing of a page that nobody has touched has the
// picture of every page.
func TestPrintingBeforeAnyInput(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(12))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.firstView()
	printed := func() (pdf []byte) {
		b.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
			pdf, _, err = page.PrintToPDF().WithPreferCSSPageSize(true).Do(ctx)
			return err
		}))
		return pdf
	}
	// Printing loads the pictures. Where a person prints, the browser waits for them; this call does not.
	pdf, pictures := printed(), regexp.MustCompile(`/Subtype\s*/Image`)
	for end := time.Now().Add(testrun.Patience()); len(pictures.FindAll(pdf, -1)) < 12 && time.Now().Before(end); {
		pdf = printed()
	}
	require.Len(t, regexp.MustCompile(`/Type\s*/Page\b[^s]`).FindAll(pdf, -1), 12)
	require.GreaterOrEqual(t, len(pictures.FindAll(pdf, -1)), 12)
}
