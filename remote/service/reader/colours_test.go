package reader_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// contrast returns the contrast ratio of two colours as defined in WCAG.
const contrast = `((...colours) => {
	const [a, b] = colours.map(colour => {
		const [r, g, b] = colour.match(/[\d.]+/g).map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
		return .2126 * r + .7152 * g + .0722 * b + .05
	})
	return Math.max(a, b) / Math.min(a, b)
})`

// style returns a computed property of an element.
func (b *tab) style(selector, pseudo, property string) string {
	b.Helper()
	return value[string](b, fmt.Sprintf(`getComputedStyle(document.querySelector(%q), %q).getPropertyValue(%q)`, selector, pseudo, property))
}

// coloured opens a tab for a reader whose system forces a few colours.
func (s screen) coloured(t *testing.T, scheme string) *tab {
	t.Helper()
	b := s.open(t)
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}, {Name: "prefers-color-scheme", Value: scheme}}))
	return b
}

// TestForcedColours checks that with forced colours every control is visible, also a disabled one,
// and that a pressed, hovered or focused one differs from the others.
func TestForcedColours(t *testing.T) {
	browses(t)
	l := open(t)
	l.shop()
	for _, scheme := range []string{"light", "dark"} {
		b := phone.coloured(t, scheme)
		b.visit(l.URL + "/shop/")
		b.until(`document.querySelector('#cart').checkVisibility()`)
		system := func(name string) string {
			return value[string](b, fmt.Sprintf(`(() => { const e = document.body.appendChild(document.createElement('i')); e.style.color = %q; const c = getComputedStyle(e).color; e.remove(); return c })()`, name))
		}
		require.Equal(t, system("ButtonText"), b.style("#cart svg path", "", "stroke"), "the basket's icon has the colour of button text")
		require.Equal(t, system("ButtonText"), b.style("#next svg", "", "stroke"), "the arrows have the colour of button text")
		require.Equal(t, system("GrayText"), b.style("#previous svg", "", "stroke"))
		require.Equal(t, "1", b.style("#previous", "", "opacity"), "a disabled button has the system's grey, without opacity")
		for _, control := range []string{"#next", "#previous", "#cart", "#more"} {
			require.GreaterOrEqual(t, value[float64](b, fmt.Sprintf(contrast+"(%q, %q)", b.style(control, "", "border-top-color"), system("Canvas"))), 3., control)
		}

		b = desktop.coloured(t, scheme)
		b.visit(l.URL + "/shop/")
		b.do(chromedp.Evaluate(`document.querySelector('#full').setAttribute('aria-pressed', 'true')`, nil))
		require.Equal(t, system("Highlight"), b.style("#full", "", "background-color"), "a pressed button is highlighted")
		at := value[[]float64](b, `(r => [r.left + r.width / 2, r.top + r.height / 2])(document.querySelector('#p1 svg a rect').getBoundingClientRect())`)
		b.do(chromedp.MouseEvent("mouseMoved", at[0], at[1]))
		b.until(`document.querySelector('#p1 svg a').matches(':hover')`)
		require.Equal(t, system("Highlight"), b.style("#p1 svg a rect", "", "stroke"), "a hovered link is highlighted")
		b.do(chromedp.MouseEvent("mouseMoved", 1, 1))
		b.key(kb.Tab)
		b.until(`document.querySelector('#p1 svg a').matches(':focus-visible')`)
		require.Equal(t, system("Highlight"), b.style("#p1 svg a rect", "", "stroke"), "a focused link is highlighted")
	}
}

// TestTheFocusIsSeenOnPictures checks the focus ring on white and on black pictures, in either colour scheme.
func TestTheFocusIsSeenOnPictures(t *testing.T) {
	browses(t)
	l := open(t)
	l.shop()
	for _, dark := range []bool{false, true} {
		s := desktop
		s.dark = dark
		b := s.open(t)
		b.visit(l.URL + "/shop/")
		b.key(kb.Tab)
		b.until(`document.querySelector('#p1 svg a').matches(':focus-visible')`)
		require.GreaterOrEqual(t, value[float64](b, fmt.Sprintf(contrast+"(%q, 'rgb(255, 255, 255)')", b.style("#p1 svg a rect", "", "stroke"))), 3., "on white, dark: %t", dark)
		require.Contains(t, b.style("#p1 svg a rect", "", "filter"), "rgb(255, 255, 255)", "the ring has a white edge, visible on black")
		b.picture(fmt.Sprintf("focus dark %t", dark))
	}
}
