package reader_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
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

// TestAnOrderHasOneStepLeft checks the end of an order, with scripts and without: what the reader still has to do, the
// number, lines and total; and never thanks, because nobody can know whether a message was sent. Whoever has no program
// for it copies the order whole, or prints it, and has the shop's address. The basket shows it again until it is used.
func TestAnOrderHasOneStepLeft(t *testing.T) {
	browses(t)
	var passed atomic.Int64 // a reader may order five times a minute
	l := open(t, func(o *service.Options) {
		o.Now = func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	})
	l.shop()
	const next = "Add your name and address to the e-mail, and send it: the shop has your order then."
	const number = `^One step left\s+%s\s+%s\s+Order number \w{6}\s+2 × Rake \(RK-7\)\s+58\.50 EUR\s+Total: 58\.50 EUR\s+`
	for name, on := range map[string]screen{"desktop": desktop, "phone": phone} {
		b := on.open(t)
		b.visit(l.URL + "/shop/")
		b.do(chromedp.Evaluate(held, nil))
		b.put("Rake")
		b.click("#basket .stepper button:last-child")
		b.click("[data-checkout=CheckoutByEmail]")
		b.until(`document.querySelector('#done').checkVisibility()`)
		require.Regexp(t, fmt.Sprintf(number, next, "Write the e-mail")+`Did nothing open\?.* shop@example\.org\s+Copy\s+Print\s+Back to the pages$`, value[string](b, `document.querySelector('#done').innerText`))
		b.picture("step-" + name)
		b.do(chromedp.Evaluate(`navigator.clipboard.writeText = text => { window.kept = text; return Promise.resolve() }`, nil))
		b.press(kb.Escape)
		b.until(`!document.querySelector('#basket').open`)
		b.click("#cart")
		b.until(`document.querySelector('#done').checkVisibility()`)
		b.click("#done .kept button")
		b.until(`document.querySelector('#done').innerText.includes('Copied.')`)
		require.Regexp(t, `^Order \w{6}\r\nPaper shop\r\nhttp://\S+/shop/\r\n\r\n2 × Rake \(RK-7\): 29\.25 EUR\r\n\r\nTotal: 58\.50 EUR\r\n$`, value[string](b, `window.kept`))
		b.click("#done .kept button + button")
		b.until(`window.printed?.includes('ordered')`)
		b.click("#done > button:last-child")
		b.until(`!document.querySelector('#basket').open`)
	}
	for _, kind := range strings.Fields(everyCheckout) {
		passed.Add(int64(time.Minute))
		b := desktop.open(t)
		b.visit(l.URL + "/shop/")
		b.do(chromedp.Evaluate(held, nil))
		b.put("Rake")
		b.click("[data-checkout=" + kind + "]")
		b.until(`document.querySelector('#done').checkVisibility()`)
		said := value[string](b, `document.querySelector('#done').innerText`)
		require.Contains(t, said, "One step left", kind)
		require.NotRegexp(t, `(?i)thank|recorded|✓`, said, kind)
		require.Equal(t, kind == "CheckoutBySms" || kind == "CheckoutByWhatsApp", strings.Contains(said, "+45 70 20 30 40"), kind)
	}
	plain := phone
	plain.noScripts = true
	b := plain.open(t)
	b.do(chromedp.Navigate(l.URL + "/shop/"))
	b.click(`a[aria-label=Rake] rect`)
	b.click("#p1i1 form button")
	b.click("button[value=CheckoutByEmail]")
	b.until(`/One step left\s+Add your name[^]*Order number \w{6}[^]*29\.25 EUR[^]*Total: 29\.25 EUR\s+Did nothing open[^]* shop@example.org/.test(document.body.innerText)`)
	require.NotContains(t, value[string](b, `document.body.innerText`), "Thank")
	b.picture("step-plain")
}

// TestPricesAreAsThePagesPrintThem checks that a price, and the total of a basket, has the form that the pages print, whatever the
// language of the buttons.
func TestPricesAreAsThePagesPrintThem(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("shop", pdftest.Document([]pdftest.Sheet{{Content: line(12, 60, 700, "Rake 1029,50 \\200")}}))
	l.links(paper, store.Link{Page: 1, X: .1, Y: .1, Width: .3, Height: .1, LinkType: "shopitem", Param: "<item><name>Rake</name><price>1029.5</price><id>R1</id></item>"})
	l.set(paper, "checkout", "CheckoutByPrint")
	l.set(paper, "currency", "EUR")
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	b.click("a[aria-label=Rake] rect")
	b.until(`document.querySelector('#item .price')?.textContent === '1029,50 €'`)
	b.click("#item form button[name]")
	b.until(`document.querySelector('#sum').textContent === 'Total: 1029,50 €'`)
	b.visit(l.URL + "/shop/")
	b.click("#cart")
	b.until(`document.querySelector('#sum').textContent === 'Total: 1029,50 €'`)
}
