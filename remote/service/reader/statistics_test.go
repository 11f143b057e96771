package reader_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// viewed counts views of pages today, and returns the address of the page that shows them.
func (l *library) viewed(paper int64, views map[int]int64) string {
	l.Helper()
	today := store.DayOf(time.Now())
	counts := map[store.Hit]int64{{Page: 1, Target: "https://example.org/"}: 5_000} // no view
	for page, n := range views {
		counts[store.Hit{Page: page}] = n
	}
	l.write(func(tx store.Writer) error {
		tenant, err := tx.TenantByName("default")
		if err != nil {
			return err
		}
		return tx.AddHits(tenant.ID, []store.Hits{{Paper: paper, Day: today, Visits: 7, Counts: counts}})
	})
	_, address, err := l.client.GetNumberOfPageviewsPerPage(l.Context(), paper, time.Now(), time.Now())
	require.NoError(l, err)
	return address
}

// TestAPublisherSeesViewsByPage checks that the page of the views fits each screen, needs no script, and shows bars that are
// as long as the numbers say, on the screen and in print.
func TestAPublisherSeesViewsByPage(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(12))
	at := l.viewed(paper, map[int]int64{1: 400, 2: 300, 3: 300, 5: 1, 12: 40})
	const bars = `[1, 2, 4, 12].map(n => Math.round(100 * document.querySelectorAll('tbody tr')[n - 1].querySelector('rect').getBoundingClientRect().width / document.querySelector('tbody tr rect').getBoundingClientRect().width))`
	for name, s := range map[string]screen{
		"desktop": desktop, "phone": phone, "dark": {width: 1440, height: 900, scale: 1, dark: true},
		"dark phone": {width: 390, height: 844, scale: 3, touch: true, dark: true}, "narrow": {width: 320, height: 640, scale: 2, touch: true},
	} {
		s.noScripts = true
		b := s.open(t)
		b.do(chromedp.Navigate(at + "&ForceLanguage=de"))
		b.until(`document.readyState === 'complete' && [...document.images].every(i => i.complete)`)
		require.Equal(t, "Aufrufe je Seite", value[string](b, `document.querySelector('h1').textContent`))
		require.Equal(t, []string{"1041", "7"}, value[[]string](b, `[...document.querySelectorAll('dd')].map(e => e.textContent)`))
		require.Equal(t, []string{"Seite 5", "1"}, value[[]string](b, `[...document.querySelectorAll('tbody tr:nth-child(5) > *')].map(e => e.textContent)`))
		require.Equal(t, []int{100, 75, 0, 10}, value[[]int](b, bars), name)
		require.Equal(t, []any{float64(s.width), true, true}, value[[]any](b, `[document.documentElement.scrollWidth, getComputedStyle(document.querySelector('rect')).fillOpacity === '1', document.images[0].naturalWidth > 0]`), name)
		b.picture("views " + name)
		b.click("[rel=prev]")
		b.until(`document.querySelector('[rel=next]') && document.querySelector('dd').textContent === '0'`)
		b.click("[rel=next]")
		b.until(`document.querySelector('dd').textContent === '1041'`)
	}
	b := desktop.open(t)
	b.do(chromedp.Navigate(at))
	b.until(`document.readyState === 'complete'`)
	require.Equal(t, []string{"row", "row"}, value[[]string](b, `[...document.querySelectorAll('tbody th')].slice(0, 2).map(e => e.scope)`))
	b.do(emulation.SetEmulatedMedia().WithMedia("print"))
	require.Equal(t, []int{100, 75, 0, 10}, value[[]int](b, bars), "in print")
}

// TestTheAddressOfTheViewsIsNotPassedOn checks that a link of the page does not tell its address.
func TestTheAddressOfTheViewsIsNotPassedOn(t *testing.T) {
	browses(t)
	l := open(t)
	l.set(l.top().ID, "accentColor", "#ff0000")
	at := l.viewed(l.paper("book", booklet(1)), map[int]int64{1: 1})
	b := desktop.open(t)
	b.do(chromedp.Navigate(at))
	b.until(`document.readyState === 'complete'`)
	require.Equal(t, []any{"", true}, value[[]any](b, `[document.cookie, getComputedStyle(document.querySelector('rect')).fill !== 'rgb(11, 87, 208)']`))
	b.click("[rel=prev]")
	b.until(`document.querySelector('[rel=next]')`)
	require.Empty(t, value[string](b, `document.referrer`))
	require.True(t, strings.HasPrefix(value[string](b, `location.href`), strings.Split(at, "?")[0]))
}
