package reader_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// TestAShelfFillsTheWindow checks the covers of one paper and of five hundred, on three screens, with its tools.
func TestAShelfFillsTheWindow(t *testing.T) {
	browses(t)
	l := open(t)
	one := l.category("one")
	only := l.paper("only", booklet(2))
	require.NoError(t, l.client.MovePaper(l.Context(), only, one.ID))
	many := l.category("many")
	for i := range 5 {
		require.NoError(t, l.client.MovePaper(l.Context(), l.paper(fmt.Sprintf("spring-and-summer-catalogue-%02d", i), booklet(1)), many.ID))
	}
	l.blank(many, 495)
	for name, on := range map[string]screen{"desktop": desktop, "tablet": {width: 768, height: 1024, scale: 2, touch: true}, "phone": phone, "dark": {width: 1440, height: 900, scale: 1, dark: true}} {
		t.Run(name, func(t *testing.T) {
			b := on.open(t)
			b.shelf(l.URL + "/one/")
			b.until(`document.images[0].complete && document.images[0].naturalWidth > 0`)
			require.False(t, value[bool](b, `!!document.querySelector('.top form')`), "there is nothing to search")
			b.picture("shelf-one-" + name)
			b.shelf(l.URL + "/many/")
			b.until(`[...document.images].slice(0, 4).every(img => img.complete && img.naturalWidth > 0)`)
			b.picture("shelf-many-" + name)
			require.True(t, value[bool](b, `document.documentElement.scrollWidth <= innerWidth`))
			require.GreaterOrEqual(t, value[float64](b, `document.querySelector('li').getBoundingClientRect().width`), map[bool]float64{true: 208, false: 170}[on.width > 500])
			first := `(top => [...document.querySelectorAll('li')].filter(li => li.getBoundingClientRect().top === top))(document.querySelector('li').getBoundingClientRect().top)`
			require.Less(t, value[float64](b, `innerWidth - `+first+`.at(-1).getBoundingClientRect().right`), 64., "the covers fill the window")
			require.Regexp(t, "^0", value[string](b, `getComputedStyle(document.querySelector('.covers li img')).objectPosition`), "a cover begins where its title does")
			require.Less(t, value[int](b, `[...document.images].filter(img => img.complete).length`), 100, "covers far below the window wait")
			if on.touch {
				return
			}
			b.do(chromedp.SendKeys("input[type=search]", "Z 49"+kb.Enter))
			b.until(`document.querySelectorAll('li').length === 10`) // z0049, z0149 … z0449, z0490 … z0494
			require.Equal(t, "Z 49", value[string](b, `document.querySelector('input[type=search]').value`))
			b.picture("shelf-found-" + name)
			b.click(".sorted a:last-child")
			b.until(`document.querySelector('.sorted a:last-child').ariaCurrent && document.querySelector('li bdi').textContent.endsWith('z0494') && document.querySelectorAll('li').length === 10`)
			b.click(".said a")
			b.until(`document.querySelectorAll('li').length === 500`)
			b.click(".crumbs a")
			b.until(`location.pathname === '/'`)
		})
	}
}
