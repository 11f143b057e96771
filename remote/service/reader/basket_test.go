package reader_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestAnotherButtonAfterALostReply checks that the button pressed last determines the handover and
// the record. There is still one order.
func TestAnotherButtonAfterALostReply(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.shop()
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	b.do(chromedp.Evaluate(held, nil), chromedp.Evaluate(`window.real = fetch; window.fetch = async (...all) => { await real(...all); throw new TypeError('lost') }`, nil))
	b.put("Rake")
	b.click("[data-checkout=CheckoutByPrint]")
	b.until(`document.querySelector('#told').textContent.startsWith('No answer came.')`)
	require.Contains(t, l.orders(paper), `checkoutType="CheckoutByPrint"`)
	b.do(chromedp.Evaluate(`window.fetch = real`, nil))
	b.click("[data-checkout=CheckoutByEmail]")
	b.until(`window.handed`)
	require.True(t, strings.HasPrefix(value[string](b, `window.handed`), "mailto:shop@example.org?subject=Order%20"), value[string](b, `window.handed`))
	require.Equal(t, 1, strings.Count(l.orders(paper), "<order "))
	require.Contains(t, l.orders(paper), `checkoutType="CheckoutByEmail"`)
}

// TestADamagedBasket checks that only the valid lines stay.
func TestADamagedBasket(t *testing.T) {
	browses(t)
	l := open(t)
	l.shop()
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	const rake = `{"id":"RK-7","name":"Rake","price":"29.25","amount":2}`
	line := func(id, price, amount string) string {
		return fmt.Sprintf(`{"id":%q,"name":"x","price":%s,"amount":%s}`, id, price, amount)
	}
	for _, invalid := range []string{
		line("A", `"-5"`, "1"), line("A", `"1.2.3"`, "1"), line("A", `"1.12345678"`, "1"), line("A", `""`, "1"), line("A", `"0x10"`, "1"), line("A", "5", "1"),
		line("A", `"1"`, "-3"), line("A", `"1"`, "0"), line("A", `"1"`, "10000"), line("A", `"1"`, `"1"`), line("A", `"1"`, "1.5"),
		line("", `"1"`, "1"), `{"id":"A","name":7,"price":"1","amount":1}`, `null`, `"A"`, rake,
	} {
		b.do(chromedp.Evaluate(fmt.Sprintf(`localStorage.setItem('basket-' + document.querySelector('#basket').dataset.paper, %q)`, `{"key":"1","lines":[`+rake+`,`+invalid+`]}`), nil))
		b.visit(l.URL + "/shop/")
		b.until(`document.querySelector('#cart span').textContent === '2'`)
		b.click("#cart")
		b.until(`document.querySelector('#sum').textContent === 'Total: 58.50 EUR'`)
		require.Equal(t, 1, value[int](b, `document.querySelectorAll('#basket ol > li').length`), invalid)
	}
	b.do(chromedp.Evaluate(held, nil))
	b.click("[data-checkout=CheckoutByPrint]")
	b.until(`document.querySelector('#done [role=status]')?.textContent.startsWith('Order ')`) // the basket's key is valid again
}

// TestTheBasketStays checks that the basket and its count are seen, and work, while the tools or the whole bar are hidden,
// and that the page number is in the middle then.
func TestTheBasketStays(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.shop()
	const seen = `document.querySelector('#seek').checkVisibility({opacityProperty: true})`
	for _, on := range []screen{desktop, {width: 768, height: 1024, scale: 2}, {width: 390, height: 844, scale: 3}} {
		for _, hides := range []string{"false", "true"} {
			l.set(paper, "autoMaximize", hides)
			b := on.open(t)
			b.visit(l.URL + "/shop/")
			b.put("Rake")
			b.press(kb.Escape)
			b.until(`!document.querySelector('#basket').open`)
			b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil))
			b.until(`document.documentElement.classList.contains('quiet') && !` + seen) // the key had called the bar
			b.until(`document.querySelector('#cart').checkVisibility({opacityProperty: true}) && document.querySelector('#cart span').textContent > 0`)
			b.picture(fmt.Sprintf("basket stays %d %s", on.width, hides))
			if hides == "false" {
				require.InDelta(t, float64(on.width)/2, value[float64](b, `(r => (r.left + r.right) / 2)(document.querySelector('#place').getBoundingClientRect())`), 1)
			}
			b.click("#cart")
			b.until(`document.querySelector('#basket').open`)
		}
	}
}

// TestAFullBasketSaysSo checks that the reader learns that a product did not get into the basket.
func TestAFullBasketSaysSo(t *testing.T) {
	browses(t)
	l := open(t)
	l.shop()
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	b.do(chromedp.Evaluate(`localStorage.setItem('basket-' + document.querySelector('#basket').dataset.paper, JSON.stringify({key: '', lines: [...Array(200).keys()].map(i => ({id: 'A-' + i, name: 'x', price: '1', amount: 1}))}))`, nil))
	b.visit(l.URL + "/shop/")
	b.until(`document.querySelector('#cart span').textContent === '200'`)
	b.put("Rake")
	b.until(`document.querySelector('#told').textContent === 'The order is too long to be sent at once. Take some products out, and order them afterwards.'`)
	require.Equal(t, "200", value[string](b, `document.querySelector('#cart span').textContent`))
}

// TestAnOrderOfAPaperThatIsGone checks that the reader learns that the paper is no longer available, and that the basket stays.
func TestAnOrderOfAPaperThatIsGone(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.shop()
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	b.put("Rake")
	b.until(`document.querySelector('#basket').open`)
	past := time.Now().Add(-time.Hour)
	require.NoError(t, l.client.SetPublicationPeriod(l.Context(), paper, remote.Period{From: past.Add(-time.Hour), To: past}))
	b.click("[data-checkout=CheckoutByPrint]")
	b.until(`document.querySelector('#told').textContent === 'This publication is no longer available at this address, so nothing can be ordered from it. The basket is kept.'`)
	b.picture("shop-gone")
	require.Contains(t, l.orders(paper), `count="0"`)
	require.Equal(t, "Total: 29.25 EUR", value[string](b, `document.querySelector('#sum').textContent`))
	b.expected("404")
}

// TestWithoutScriptsAnOrderOfAPaperThatIsGone checks that a reader without scripts gets the same words, in the
// language of the page that the form was on, from both forms.
func TestWithoutScriptsAnOrderOfAPaperThatIsGone(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.shop()
	l.set(paper, "language", "de")
	s := phone
	s.noScripts = true
	past := time.Now().Add(-time.Hour)
	for _, confirmed := range []bool{false, true} {
		b := s.open(t)
		require.NoError(t, l.client.ClearPublicationPeriod(l.Context(), paper))
		b.do(chromedp.Navigate(l.URL + "/shop/"))
		b.click(`a[aria-label=Rake] rect`)
		button := "#p1i1 form button"
		b.until(`document.querySelector('#p1i1').getBoundingClientRect().width > 100`)
		if confirmed {
			b.click(button)
			button = "button[value=CheckoutByEmail]"
			b.until(`document.querySelector('` + button + `')`)
		}
		require.NoError(t, l.client.SetPublicationPeriod(l.Context(), paper, remote.Period{From: past.Add(-time.Hour), To: past}))
		b.click(button)
		b.until(`document.body.innerText.includes('Diese Publikation ist unter dieser Adresse nicht mehr verfügbar, daher kann nichts daraus bestellt werden.')`)
		b.picture("shop-gone-noscript")
		require.Equal(t, "de", value[string](b, `document.documentElement.lang`))
		require.False(t, value[bool](b, `document.body.innerText.includes('Warenkorb bleibt') || document.body.innerText.includes('Paper shop')`), "there is no basket, and the paper's name is hidden")
		b.until(`getComputedStyle(document.querySelector('.receipt')).paddingLeft === '24px'`) // the style is loaded
		b.expected("404")
	}
	require.Contains(t, l.orders(paper), `count="0"`)
}
