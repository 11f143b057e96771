package reader_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestThePublishersColours checks accents of either brightness on both stages, whatever the reader's system prefers:
// what is written on them, as on the bars, and links in them can be read.
func TestThePublishersColours(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.shop()
	for _, accent := range []string{"#ffd400", "#0a3d2c"} {
		for _, stage := range []string{"light", "dark"} {
			l.set(paper, "accentColor", accent)
			l.set(paper, "stage", stage)
			on := desktop
			on.dark = stage == "light"
			b := on.open(t)
			b.visit(l.URL + "/shop/")
			require.Equal(t, stage, b.style("body", "", "color-scheme"))
			require.GreaterOrEqual(t, value[float64](b, fmt.Sprintf(contrast+"(%q, %q)", b.style("h1", "", "color"), b.style("header", "", "background-color"))), 4.5)
			b.put("Rake")
			b.until(`document.querySelector('#basket').open`)
			require.GreaterOrEqual(t, value[float64](b, fmt.Sprintf(contrast+"(%q, %q)", b.style(".go", "", "color"), b.style(".go", "", "background-color"))), 4.5)
			surface := value[string](b, `getComputedStyle(document.querySelector('#basket')).backgroundColor`)
			link := value[string](b, `(e => { e.href = '#'; const c = getComputedStyle(e).color; e.remove(); return c })(document.body.appendChild(document.createElement('a')))`)
			require.GreaterOrEqual(t, value[float64](b, fmt.Sprintf(contrast+"(%q, %q)", link, surface)), 4.5)
			b.picture("brand-" + strings.Trim(accent, "#") + "-" + stage)
		}
	}
}

// TestSharingHasACode checks the dialog that shares: the address of the page that is shown, and code that shows it in a
// frame.
func TestSharingHasACode(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(6))
	for name, on := range map[string]screen{"desktop": desktop, "phone": phone} {
		b := on.open(t)
		b.visit(l.URL + "/book/?Page=2")
		b.do(chromedp.Evaluate(`Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.copied = text }}})`, nil))
		if on.touch {
			b.click("#more")
		}
		b.click("#share")
		b.until(`document.querySelector('#sharing').open`)
		require.Equal(t, l.URL+"/book/?Page=2", value[string](b, `document.querySelector('#address').value`))
		b.picture("sharing-" + name)
		b.click("[data-copies=embed]")
		b.until(`document.querySelector('#copied').textContent === 'Copied.'`)
		require.Equal(t, l.URL+"/book/?Page=2", value[string](b, `copied.match(/^<iframe src="([^"]+)" .*><\/iframe>$/)[1]`))
	}
}
