package reader_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// TestAProductHasItsPicture checks that the dialog of a product and the basket show the part of the page where the
// product stands, and that one button of each stands out.
func TestAProductHasItsPicture(t *testing.T) {
	browses(t)
	l := open(t)
	l.shop()
	for name, on := range map[string]screen{"desktop": desktop, "tablet": {width: 768, height: 1024, scale: 2, touch: true}, "phone": phone, "dark": {width: 1440, height: 900, scale: 1, dark: true}} {
		b := on.open(t)
		b.visit(l.URL + "/shop/")
		b.do(chromedp.Evaluate(`localStorage.clear()`, nil)) // all screens have one browser
		b.visit(l.URL + "/shop/")
		b.until(`document.querySelector('#cart').checkVisibility()`)
		const shows = `(i => i && i.complete && i.naturalWidth && i.currentSrc.includes('PageID=') && i.checkVisibility())(document.querySelector('%s .crop img'))`
		b.click(`a[aria-label=Rake] rect`)
		b.until(fmt.Sprintf(shows, "#item"))
		// The middle of the spot is the middle of the picture.
		off := value[[]float64](b, `(() => {
			const frame = document.querySelector('#item .crop').getBoundingClientRect(), img = document.querySelector('#item .crop img').getBoundingClientRect()
			const spot = document.querySelector('a[aria-label=Rake] rect').getBBox(), page = document.querySelector('a[aria-label=Rake]').ownerSVGElement.viewBox.baseVal
			return [(img.left + (spot.x + spot.width / 2) / page.width * img.width - frame.left - frame.width / 2) / frame.width,
				(img.top + (spot.y + spot.height / 2) / page.height * img.height - frame.top - frame.height / 2) / frame.height,
				img.width / img.height / (page.width / page.height) - 1]
		})()`)
		require.InDeltaSlice(t, []float64{0, 0, 0}, off, .02, name)
		b.picture("product-" + name)
		b.click("#item .stepper button:last-child")
		b.click("#item .stepper button:last-child")
		b.click("#item .stepper button:first-child")
		require.Equal(t, "2", value[string](b, `document.querySelector('#item [name=amount]').value`))
		b.click("#item form button[name]")
		b.until(fmt.Sprintf(shows, "#basket") + ` && document.querySelector('#sum').textContent === 'Total: 58.50 EUR'`)
		b.click("#basket .stepper button:last-child")
		b.until(`document.querySelector('#sum').textContent === 'Total: 87.75 EUR'`)
		require.Equal(t, 1, value[int](b, `(all => all.filter(b => getComputedStyle(b).backgroundColor === getComputedStyle(all[0]).backgroundColor).length)([...document.querySelectorAll('#basket .go')])`))
		require.LessOrEqual(t, value[int](b, `document.querySelector('#basket').scrollWidth - document.querySelector('#basket').clientWidth`), 0, name)
		b.do(chromedp.KeyEvent(kb.Escape))
		b.put("Garden")
		b.picture("basket-" + name)
	}
}

// TestAnOrderSaysWhatHappensNext checks that the end of an order has its number, its lines with their prices, the
// total and what the reader has to do, with scripts and without.
func TestAnOrderSaysWhatHappensNext(t *testing.T) {
	browses(t)
	l := open(t)
	l.shop()
	const next = "Add your name and address to the e-mail, and send it: the shop has your order then."
	for name, on := range map[string]screen{"desktop": desktop, "phone": phone} {
		b := on.open(t)
		b.visit(l.URL + "/shop/")
		b.do(chromedp.Evaluate(held, nil))
		b.put("Rake")
		b.click("#basket .stepper button:last-child")
		b.click("[data-checkout=CheckoutByEmail]")
		b.until(`document.querySelector('#done').checkVisibility()`)
		require.Regexp(t, `^Thank you\s+Order \w{6} is recorded\.\s+2 × Rake \(RK-7\)\s+58\.50 EUR\s+Total: 58\.50 EUR\s+`+next+`\s+Write the e-mail\s+Back to the pages$`, value[string](b, `document.querySelector('#done').innerText`))
		b.picture("thanks-" + name)
		b.click("#done > button:last-child")
		b.until(`!document.querySelector('#basket').open`)
	}
	plain := phone
	plain.noScripts = true
	b := plain.open(t)
	b.do(chromedp.Navigate(l.URL + "/shop/"))
	b.click(`a[aria-label=Rake] rect`)
	b.click("#p1i1 form button")
	b.click("button[value=CheckoutByEmail]")
	b.until(`/Thank you\s+Order \w{6} is recorded\.[^]*29\.25 EUR[^]*Total: 29\.25 EUR/.test(document.body.innerText)`)
	require.Contains(t, value[string](b, `document.body.innerText`), next)
	b.picture("thanks-plain")
}
