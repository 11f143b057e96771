package reader_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// TestTheFocusIsVisible checks that Tab reaches nothing that is not visible, with and without scripts.
func TestTheFocusIsVisible(t *testing.T) {
	l := open(t)
	l.shop()
	quiet := desktop
	quiet.noScripts = true
	for name, on := range map[string]screen{"scripts": desktop, "no scripts": quiet} {
		b := on.open(t)
		b.do(chromedp.Navigate(l.URL + "/shop/"))
		b.until(`document.readyState === 'complete'`)
		const place = `(e => {
			if (e === document.body) return 'body'
			const r = e.getBoundingClientRect()
			return (e.id || e.getAttribute('aria-label') || e.name || e.textContent) + (r.width >= 5 && r.height >= 5 && e.checkVisibility() && !e.closest('.words') ? '' : ' hidden')
		})(document.activeElement)`
		var places []string
		for range 30 {
			b.do(chromedp.KeyEvent(kb.Tab))
			places = append(places, value[string](b, place))
		}
		for _, at := range places {
			require.NotContains(t, at, "hidden", "%s: %q", name, places)
		}
		require.Contains(t, places, "Rake", name)
	}
}
