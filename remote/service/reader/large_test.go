package reader_test

import (
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestTheLargePictureWithoutScripts: a plain link of each page leads to it, also where a browser has
// scripts and an extension or a filter blocks them: there later pages stay small.
func TestTheLargePictureWithoutScripts(t *testing.T) {
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
			b.click("#p3 .large")
			b.until(`location.pathname.endsWith('/Image.ashx') && document.images[0]?.naturalWidth > 1000`)
			b.do(chromedp.Evaluate(`history.back()`, nil))
			b.until(`document.querySelector('#p3')`)
			b.picture("large " + name)
			b.mu.Lock()
			b.problems = nil // the browser says that scripts are blocked
			b.mu.Unlock()
		})
	}

	b := phone.open(t)
	b.visit(l.URL + "/book/")
	require.Zero(t, value[int](b, `[...document.querySelectorAll('.large')].filter(e => e.checkVisibility()).length`), "with scripts there are buttons")
}
