package reader_test

import (
	"fmt"
	"slices"
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

const everyCheckout = "CheckoutByEmail CheckoutBySharingEmail CheckoutBySms CheckoutByWhatsApp CheckoutByPrint CheckoutByExport"

// shop creates a paper with two products that can be ordered.
func (l *library) shop() int64 {
	l.Helper()
	link := func(bottom float64, id string) pdftest.Link {
		return pdftest.Link{Left: 100, Right: 400, Bottom: bottom, Top: bottom + 100, URI: "ipaper://Shop/" + id}
	}
	table := "Id;Name;Description;Price\nRK-7;Rake;Steel, 40 cm;29,25\nGL-1;Garden gloves with a name that is rather long;;9\n"
	paper := l.paper("shop", pdftest.Attached([]pdftest.File{{Name: "products.csv", Content: table}},
		pdftest.Sheet{Text: "Spring", Links: []pdftest.Link{link(500, "RK-7"), link(300, "GL-1")}}, pdftest.Sheet{Text: "Summer"}))
	for name, value := range map[string]string{"checkout": everyCheckout, "shopEmail": "shop@example.org", "shopPhone": "+45 70 20 30 40", "shopExportUrl": "https://shop.example/basket?a=1", "currency": "EUR"} {
		l.set(paper, name, value)
	}
	return paper
}

// orders returns the service's answer about the orders of a paper.
func (l *library) orders(paper int64) string {
	l.Helper()
	body, err := l.client.GetFlipbookOrdersByType(l.Context(), paper, "")
	require.NoError(l, err)
	return string(body)
}

// held makes a page record the handover instead of leaving for it.
const held = `HTMLElement.prototype.click = function () {
	window.handed = this.form ? this.form.action + ' ' + new FormData(this.form).get('basket') : this.href || 'button'
	if (!this.form && !this.href) this.dispatchEvent(new MouseEvent('click'))
}
window.print = () => { window.printed = document.documentElement.className }`

// put adds a product to the basket with the mouse.
func (b *tab) put(name string) {
	b.Helper()
	b.click(fmt.Sprintf("a[aria-label^=%q] rect", name))
	b.until(`document.querySelector('#item').open`)
	b.click("#item form button[name]")
	b.until(`document.querySelector('#basket').open`)
}

// TestBasket checks amounts, total and removal. The basket outlives the page, and other tabs show it.
func TestBasket(t *testing.T) {
	browses(t)
	l := open(t)
	l.shop()
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	b.until(`document.querySelector('#cart').checkVisibility()`)
	b.click(`a[aria-label=Rake] rect`)
	b.until(`document.querySelector('#item').open && document.querySelector('#item').innerText.includes('29.25 EUR') && document.querySelector('#item form button[name]').textContent === 'Put into the basket'`)
	b.picture("shop-item")
	b.do(chromedp.Evaluate(`document.querySelector('#item input[name=amount]').value = 2`, nil))
	b.click("#item form button[name]")
	b.until(`document.querySelector('#basket').open && document.querySelector('#told').textContent === 'In the basket: Rake'`)
	b.until(`document.querySelector('#sum').textContent === 'Total: 58.50 EUR'`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.click(`a[aria-label^=Garden] rect`)
	b.click("#item form button[name]")
	b.until(`document.querySelector('#sum').textContent === 'Total: 67.50 EUR' && document.querySelector('#cart span').textContent === '3'`)
	b.picture("shop-basket")
	b.visit(l.URL + "/shop/?Page=2")
	b.click("#cart")
	b.until(`document.querySelector('#sum').textContent === 'Total: 67.50 EUR'`)
	other := phone.open(t)
	other.visit(l.URL + "/shop/")
	other.click("#cart")
	other.until(`document.querySelector('#sum').textContent === 'Total: 67.50 EUR'`)
	other.picture("shop-phone")
	require.LessOrEqual(t, value[int](other, `document.querySelector('#basket').scrollWidth - document.querySelector('#basket').clientWidth`), 0)
	b.do(chromedp.Evaluate(`(() => { const i = document.querySelectorAll('#basket ol input')[1]; i.value = 3; i.dispatchEvent(new Event('change')) })()`, nil))
	b.until(`document.querySelector('#sum').textContent === 'Total: 85.50 EUR'`)
	other.until(`document.querySelector('#sum').textContent === 'Total: 85.50 EUR'`)
	b.click(`#basket button[aria-label="Remove Rake"]`)
	b.until(`document.querySelector('#sum').textContent === 'Total: 27.00 EUR'`)
	b.click(`#basket ol li > button`)
	b.until(`document.querySelector('#sum').textContent === 'The basket is empty.' && !document.querySelector('[data-checkout]').checkVisibility()`)
}

// TestEachCheckout checks that each checkout type records the order, and that the browser hands it over.
func TestEachCheckout(t *testing.T) {
	browses(t)
	var passed atomic.Int64 // a reader may order five times a minute
	l := open(t, func(o *service.Options) {
		o.Now = func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	})
	paper := l.shop()
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	for kind, handed := range map[string]string{
		"CheckoutByEmail": "mailto:shop@example.org?subject=Order%20", "CheckoutBySharingEmail": "mailto:?subject=Order%20", "CheckoutBySms": "sms:+4570203040?body=Order%20",
		"CheckoutByWhatsApp": "https://wa.me/4570203040?text=Order%20", "CheckoutByPrint": "button", "CheckoutByExport": "https://shop.example/basket?a=1 <shop paperId=",
	} {
		b.visit(l.URL + "/shop/")
		b.do(chromedp.Evaluate(held, nil))
		b.put("Rake")
		b.until(`document.querySelector('#basket').open`)
		b.click("[data-checkout=" + kind + "]")
		b.until(`window.handed`)
		got := value[string](b, `window.handed`)
		require.True(t, strings.HasPrefix(got, handed), "%s: %s", kind, got)
		require.Contains(t, l.orders(paper), `checkoutType="`+kind+`"`)
		said := value[string](b, `document.querySelector('#done [role=status]').textContent`)
		require.Regexp(t, `^Order number [A-Za-z0-9]{6}$`, said)
		require.Contains(t, l.orders(paper), `orderId="`+strings.Fields(said)[2]+`"`)
		require.Equal(t, kind == "CheckoutByPrint", value[bool](b, `window.printed === undefined ? false : window.printed.includes('ordered')`))
		b.picture("shop-done-" + kind)
		passed.Add(int64(time.Minute))
	}
	require.Equal(t, 6, strings.Count(l.orders(paper), "<order "))
	require.NotContains(t, l.orders(paper), "shop@example.org")
}

// TestAnOrderCountsOnce checks that there is one order even after a lost reply, and after a
// button is pressed twice.
func TestAnOrderCountsOnce(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.shop()
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	b.do(chromedp.Evaluate(held, nil), chromedp.Evaluate(`(() => {
		const send = fetch
		let lost = false
		window.fetch = async (...all) => {
			const reply = await send(...all)
			if (lost) return reply
			lost = true
			throw new TypeError('lost')
		}
	})()`, nil))
	b.put("Rake")
	b.click("[data-checkout=CheckoutByPrint]")
	b.until(`document.querySelector('#told').textContent.startsWith('No answer came.')`)
	require.Equal(t, 1, strings.Count(l.orders(paper), "<order "))
	b.do(chromedp.Evaluate(`(() => { const b = document.querySelector('[data-checkout=CheckoutByPrint]'), e = () => b.dispatchEvent(new MouseEvent('click', {bubbles: true})); e(); e() })()`, nil))
	b.until(`document.querySelector('#done [role=status]')?.checkVisibility()`)
	require.Equal(t, 1, strings.Count(l.orders(paper), "<order "))
}

// TestABasketThatChangesWhileItIsOrdered checks that additions stay in the basket, and that the
// receipt shows the order as it was sent.
func TestABasketThatChangesWhileItIsOrdered(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.shop()
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	b.do(chromedp.Evaluate(held, nil), chromedp.Evaluate(`(() => {
		const send = fetch
		window.fetch = async (...all) => {
			const reply = await send(...all)
			await new Promise(resolve => { window.answered = resolve })
			return reply
		}
	})()`, nil))
	b.put("Rake")
	b.click("[data-checkout=CheckoutByPrint]")
	b.until(`window.answered`)
	b.do(chromedp.Evaluate(`(() => { const i = document.querySelector('#basket ol input'); i.value = 3; i.dispatchEvent(new Event('change')) })()`, nil))
	b.until(`document.querySelector('#sum').textContent === 'Total: 87.75 EUR'`)
	require.True(t, value[bool](b, `document.querySelector('[data-checkout=CheckoutByPrint]').disabled`), "only one order at a time")
	b.do(chromedp.Evaluate(`window.answered()`, nil))
	b.until(`document.querySelector('#done [role=status]')?.checkVisibility()`)
	require.Equal(t, "1 × Rake (RK-7)", value[string](b, `document.querySelector('#done li span').textContent`))
	require.Equal(t, "2", value[string](b, `document.querySelector('#basket input[type=number]').value`))
	require.Equal(t, "Total: 58.50 EUR", value[string](b, `document.querySelector('#sum').textContent`))
	require.Equal(t, 1, strings.Count(l.orders(paper), "<order "))
}

// TestABasketThatCannotBeRead checks that an unreadable basket counts as empty.
func TestABasketThatCannotBeRead(t *testing.T) {
	browses(t)
	l := open(t)
	l.shop()
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	for _, kept := range []string{`x`, `{}`, `{"key":"1","lines":[null]}`, `{"key":"1","lines":[{"id":"RK-7","name":"Rake","price":"much","amount":1}]}`, `{"key":"1","lines":[{"id":"RK-7","name":"Rake","price":"1","amount":"x"}]}`} {
		b.do(chromedp.Evaluate(fmt.Sprintf(`localStorage.setItem('basket-' + document.querySelector('#basket').dataset.paper, %q)`, kept), nil))
		b.visit(l.URL + "/shop/")
		b.until(`document.querySelector('#cart').checkVisibility()`)
		b.put("Rake")
		b.until(`document.querySelector('#sum').textContent === 'Total: 29.25 EUR'`)
	}
}

// TestAPriceThatChanged checks that the basket shows the new price, and that nothing is ordered.
func TestAPriceThatChanged(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.shop()
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	b.put("Rake")
	b.do(chromedp.KeyEvent(kb.Escape))
	b.put("Garden")
	l.links(paper, store.Link{Page: 1, LinkType: "shopitem", Width: .1, Height: .1, Param: "<item><name>Rake</name><price>31</price><id>RK-7</id></item>"})
	b.click("[data-checkout=CheckoutByPrint]")
	b.until(`document.querySelector('#told').textContent.startsWith('A price has changed') && document.querySelector('#sum').textContent === 'Total: 31.00 EUR'`)
	require.NotContains(t, l.orders(paper), "<order ")
	b.expected("422")
}

// expected removes a report of the browser that the test caused.
func (b *tab) expected(words string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = slices.DeleteFunc(b.problems, func(p string) bool { return strings.Contains(p, words) })
}

// TestAPreviewSendsNothing checks that the buttons of a preview are disabled, and that it says so.
func TestAPreviewSendsNothing(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.shop()
	token, err := l.client.CreatePreviewToken(l.Context(), paper, 60, "")
	require.NoError(t, err)
	b := desktop.open(t)
	b.visit(l.URL + "/shop/?SecurityToken=" + token)
	b.put("Rake")
	b.until(`document.querySelector('#basket').open && [...document.querySelectorAll('[data-checkout]')].every(b => b.disabled)`)
	b.until(`document.querySelector('#told').textContent === 'In the basket: Rake This is a preview: nothing is sent.'`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.click("#cart")
	b.until(`document.querySelector('#told').textContent === 'This is a preview: nothing is sent.'`)
}

// TestOrderByKeyboard orders by keyboard, from the hotspot to the order's number.
func TestOrderByKeyboard(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.shop()
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	b.until(`document.querySelector('#cart').checkVisibility()`)
	b.do(chromedp.Evaluate(held, nil), chromedp.Evaluate(`document.querySelector('main').focus()`, nil), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector('#item').open`)
	b.do(chromedp.KeyEvent(kb.Tab))
	b.until(`document.activeElement.name === 'amount'`)
	b.do(chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector('#basket').open && document.querySelector('#sum').textContent === 'Total: 58.50 EUR'`)
	for range 20 {
		if value[bool](b, `document.activeElement.dataset.checkout === 'CheckoutByPrint'`) {
			break
		}
		b.do(chromedp.KeyEvent(kb.Tab))
	}
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector('#done [role=status]')?.checkVisibility() && document.activeElement.closest('#done')`)
	require.Contains(t, l.orders(paper), `totalOrderValue="58,5"`)
}

// TestOrderWithoutScripts orders a single product, which a further page asks to confirm.
func TestOrderWithoutScripts(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.shop()
	s := phone
	s.noScripts = true
	b := s.open(t)
	b.do(chromedp.Navigate(l.URL + "/shop/"))
	b.click(`a[aria-label=Rake] rect`)
	b.until(`document.querySelector('#p1i1 form button').checkVisibility() && document.querySelector('#p1i1').getBoundingClientRect().width > 100`)
	b.picture("shop-noscript")
	b.click("#p1i1 form button")
	b.until(`document.body.innerText.includes('1 × Rake (RK-7): 29.25 EUR')`)
	b.picture("shop-confirm")
	b.click("button[value=CheckoutByEmail]")
	b.until(`/Order number \w{6}/.test(document.body.innerText) && document.querySelector('a[href^="mailto:shop@example.org?subject=Order"]')`)
	b.picture("shop-receipt")
	require.Equal(t, 1, strings.Count(l.orders(paper), "<order "))
}

// TestAShopsFirstViewIsSmall checks a catalogue of four hundred products.
func TestAShopsFirstViewIsSmall(t *testing.T) {
	browses(t)
	var sheets []pdftest.Sheet
	table := "Id;Name;Description;Price\n"
	for page := range 100 {
		text := ""
		for i := range 4 {
			id := fmt.Sprintf("P-%d%d", 100+page, i)
			text += fmt.Sprintf("%s costs less than it did in spring.\n", id)
			table += fmt.Sprintf("%s;Product %d of page %d;Steel, %d cm, with a handle of ash;%d,95\n", id, i, page+1, 17*page%90+i, page+i)
		}
		sheets = append(sheets, pdftest.Sheet{Text: text})
	}
	catalogue := pdftest.Attached([]pdftest.File{{Name: "products.csv", Content: table}}, sheets...)
	for name, on := range map[string]struct {
		screen
		most int64 // bytes
	}{"desktop": {desktop, 350_000}, "phone": {phone, 250_000}} {
		l := open(t)
		paper := l.paper("shop", catalogue)
		l.set(paper, "checkout", "CheckoutByPrint")
		b := on.open(t)
		b.visit(l.URL + "/shop/")
		b.until(`document.querySelector('#cart').checkVisibility() && document.querySelector('#p2 img').naturalWidth > 0`)
		require.Equal(t, 400, value[int](b, `document.querySelectorAll('.item form').length`))
		requests, size := b.firstView()
		t.Logf("%s: %d requests, %d bytes", name, requests, size)
		require.LessOrEqual(t, requests, 8, "as many requests as for other papers: %v", b.requests)
		require.LessOrEqual(t, size, on.most, name)
	}
}

// TestAnswersThatAreNotTheShops checks that the reader learns what happened and what to do. The next
// attempt is the same order, even if the first reached the service.
func TestAnswersThatAreNotTheShops(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.shop()
	b := desktop.open(t)
	b.visit(l.URL + "/shop/")
	b.do(chromedp.Evaluate(held, nil))
	b.put("Rake")
	b.until(`document.querySelector('#basket').open`)
	const answer = `window.real ??= fetch; window.fetch = async (...all) => { if (%t) await real(...all); return new Response(%q, {status: %d}) }`
	told := func(words string) {
		t.Helper()
		b.do(chromedp.Evaluate(`document.querySelector('#told').textContent = ''`, nil))
		b.click("[data-checkout=CheckoutByPrint]")
		b.until(fmt.Sprintf(`document.querySelector('#told').textContent === %q`, words))
		b.until(`!document.querySelector('[data-checkout=CheckoutByPrint]').disabled`)
	}
	const broken = "The order got no proper answer (error %d). The basket is kept. Try again in a minute: the order counts once."
	for _, c := range []struct {
		status int
		body   string
		words  string
	}{
		{413, "<html>Request Entity Too Large", "The order is too long to be sent at once. Take some products out, and order them afterwards."},
		{503, "The order cannot be taken now.", fmt.Sprintf(broken, 503)},
		{200, "<html>Sign in to this network", fmt.Sprintf(broken, 200)},
		{403, `{"error": "blocked"}`, fmt.Sprintf(broken, 403)},
		{500, "null", fmt.Sprintf(broken, 500)},
	} {
		b.do(chromedp.Evaluate(fmt.Sprintf(answer, false, c.body, c.status), nil))
		told(c.words)
	}
	b.picture("shop-broken")
	require.Contains(t, l.orders(paper), `count="0"`)
	b.do(chromedp.Evaluate(fmt.Sprintf(answer, true, "<html>Bad Gateway", 502), nil))
	told(fmt.Sprintf(broken, 502))
	require.Equal(t, 1, strings.Count(l.orders(paper), "<order "))
	b.do(chromedp.Evaluate(`window.fetch = () => Promise.reject(new TypeError('gone'))`, nil))
	told("No answer came. Press the button again: the order counts once.")
	b.do(chromedp.Evaluate(`window.fetch = real`, nil))
	b.click("[data-checkout=CheckoutByPrint]")
	b.until(`document.querySelector('#done [role=status]')?.textContent.startsWith('Order ')`)
	require.Equal(t, 1, strings.Count(l.orders(paper), "<order "), "the same basket is the same order")
}
