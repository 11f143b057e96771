package reader_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestTheLargePictureWithoutScripts checks that plain links of each page lead to its large picture, and to the pages beside. This
// also holds if an extension or a filter blocks the scripts of a browser that has them enabled: there, later
// pages stay small.
func TestTheLargePictureWithoutScripts(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(4))
	quiet := phone
	quiet.noScripts = true
	for name, on := range map[string]struct {
		screen
		blocked string
	}{"none": {quiet, ""}, "blocked": {phone, "*://*:*/reader/*.js"}, "blocked on a desktop": {desktop, "*://*:*/reader/*.js"}} {
		t.Run(name, func(t *testing.T) {
			b := on.open(t)
			if on.blocked != "" {
				b.do(network.SetBlockedURLs().WithURLPatterns([]*network.BlockPattern{{URLPattern: on.blocked, Block: true}}))
			}
			b.do(chromedp.Navigate(l.URL + "/book/?Page=3"))
			b.until(`document.querySelector('#p3 .large')?.checkVisibility({visibilityProperty: true})`)
			b.click("#p3 .large")
			b.until(`location.pathname.endsWith('/Image.ashx') && document.images[0]?.naturalWidth > 1000`)
			b.do(chromedp.Evaluate(`history.back()`, nil))
			b.until(`document.querySelector('#p3')`)
			b.picture("large " + name)
			b.mu.Lock()
			b.problems = nil // the browser reports the blocked scripts
			b.mu.Unlock()
		})
	}

	for name, on := range map[string]screen{"spreads": {width: 1440, height: 900, scale: 1, noScripts: true}, "pages": quiet} {
		b := on.open(t)
		b.do(chromedp.Navigate(l.URL + "/book/"))
		at := func(page int) {
			t.Helper()
			b.until(fmt.Sprintf(`(r => r.left >= 0 && r.right <= innerWidth + 1)(document.querySelector('#p%d').getBoundingClientRect())`, page))
		}
		at(1)
		b.click("#p1 [aria-label=Next]")
		at(2)
		if name == "pages" {
			b.click("#p2 [aria-label=Next]")
		}
		at(3)
		b.click("#p3 [aria-label=Next]")
		at(4)
		require.Empty(t, value[[]string](b, `[...document.querySelectorAll('#p4 [aria-label=Next]')].map(e => e.href)`), name)
		b.click("#p4 [aria-label=Back]")
		at(3)
	}

	b := phone.open(t)
	b.visit(l.URL + "/book/")
	require.Zero(t, value[int](b, `[...document.querySelectorAll('.hand, .large')].filter(e => e.checkVisibility()).length`), "with scripts, buttons replace the links")
}

// TestWithoutScriptsFewPicturesAreLarge checks that pictures far from the requested page are small: without
// scripts, a browser loads all pictures at once. Their links lead to the same page with large pictures around it.
func TestWithoutScriptsFewPicturesAreLarge(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("manual", manual(130))
	for name, on := range map[string]screen{"desktop": desktop, "phone": phone} {
		on.noScripts = true
		b := on.open(t)
		kept := 0 // large pictures that the browser has cached from earlier addresses
		large := func(from, to int) {
			t.Helper()
			b.until(`document.readyState === 'complete'`)
			var numbers []int
			for n := from; n <= to; n++ {
				numbers = append(numbers, n)
			}
			require.Equal(t, numbers, value[[]int](b, `[...document.querySelectorAll('main img')].filter(i => i.naturalWidth && !i.currentSrc.includes('Thumb')).map(i => Number(i.closest('article').id.slice(1)))`)[kept:])
			kept += len(numbers)
			require.Equal(t, 130, value[int](b, `[...document.querySelectorAll('main img')].filter(i => i.naturalWidth).length`))
		}
		b.do(chromedp.Navigate(l.URL + "/manual/"))
		large(1, 7)
		_, size := b.firstView()
		t.Logf("%s: %d bytes", name, size)
		require.LessOrEqual(t, size, int64(3_000_000))
		b.do(chromedp.Navigate(l.URL + "/manual/?Page=60"))
		large(56, 63)
		b.do(chromedp.Navigate(l.URL + "/manual/?ForceLanguage=de#p70"))
		b.click("#p70 .large")
		b.until(`location.search.includes('Sharp=70') && location.search.includes('ForceLanguage=de') && location.hash === '#p70' && document.querySelector('#p70 .hand').lang === 'de'`)
		large(64, 71)
		require.Contains(t, value[string](b, `document.querySelector('#p70 .large').href`), "ImageType=Zoom")
	}
}
