package manage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/service/store"
)

// records changes the records of the service.
func (h *house) records(f func(tx store.Writer) error) {
	h.Helper()
	require.NoError(h, servicetest.In(h, h.Data).Beside(h).Write(h.Context(), store.AllTenants, f))
}

// TestProductsComeFromATable drops tables of products on a paper, and looks at what is wrong, and at orders.
func TestProductsComeFromATable(t *testing.T) {
	h := open(t)
	ids := h.library()
	area := pdftest.Link{Left: 10, Bottom: 10, Right: 300, Top: 300}
	chair, rake := area, area
	chair.URI, rake.URI = "ipaper://Shop/chair-7", "ipaper://Shop/rake"
	job, err := h.client.ProcessPDF(t.Context(), ids["autumn"], "", content(pdftest.Document([]pdftest.Sheet{{Text: "One", Links: []pdftest.Link{chair}}, {Text: "Two", Links: []pdftest.Link{rake}}})))
	require.NoError(t, err)
	h.processed(job.GUID)
	h.order(ids["autumn"], "first", 40, "chair-7", `Chair "x", <b>`)
	h.order(ids["autumn"], "=second", 1, "rake", "Rake")
	b := desk.browser(t)
	b.signIn(h, h.Username, h.Password)
	b.choose(ids["autumn"])
	b.opens("Products and orders")
	b.says("No link of this publication shows a product yet.")
	b.until(`document.querySelectorAll('dialog tbody tr').length === 2 && document.querySelector('dialog tbody td').textContent === '=second'`)
	csv := b.downloads(func() { b.click("button=As CSV") })
	require.Contains(t, csv, `"'=second",`)
	require.Contains(t, csv, `"Chair ""x"", <b>",`)
	require.Contains(t, b.downloads(func() { b.click("button=As XML") }), `orderId="first"`)
	b.drop("dialog .drop", file(t, "autumn & more.csv", []byte("Id,Name,Price\nchair-7,\"Garden <chair> & more\",79\nchair-8,Other,x\n")))
	b.says("These things are missing or wrong")
	b.says("rake")
	b.says("Garden <chair> & more")
	b.picture("products")
	b.drop("dialog .drop", file(t, "autumn & more.csv", []byte("Id,Name,Price\nchair-7,Chair,79\nrake,Rake,5\n")))
	b.says("The pages are made, with all products.")
	b.until(`[...document.querySelectorAll('dialog td')].some(td => td.textContent === 'Rake')`)
	b.drop("dialog .drop", file(t, "bad.csv", []byte("Name\nx\n")))
	b.says("no column Id")
	b.click("dialog .quiet")
	b.says("no column Id") // beside the cover, whenever the paper is opened
}

// order records an order of days ago.
func (h *house) order(paper int64, id string, days int, product, name string) {
	h.Helper()
	h.records(func(tx store.Writer) error {
		return tx.PutOrder(1, store.Order{ID: id, Paper: paper, Date: time.Now().UTC().AddDate(0, 0, -days).Truncate(time.Second), CheckoutType: "CheckoutByPrint",
			Lines: []store.OrderLine{{ProductID: product, Name: name, Price: "29.25", Amount: 2}}})
	})
}

// TestNumbersOfAPaper shows what was counted as lines, pictures and tables.
func TestNumbersOfAPaper(t *testing.T) {
	h := open(t)
	ids := h.library()
	today, long := store.DayOf(time.Now()), "https://example.org/"+strings.Repeat("a", 280)
	h.records(func(tx store.Writer) error {
		return tx.AddHits(1, []store.Hits{{Paper: ids["autumn"], Day: today, Visits: 2, Counts: map[store.Hit]int64{{Page: 1}: 3, {Page: 2}: 1200, {Page: 1, Target: "<b>RK-7</b> Rake"}: 2, {Page: 2, Target: long}: 1100}}, {Paper: ids["autumn"], Day: today - 27, Visits: 1, Counts: map[store.Hit]int64{{Page: 1}: 1}},
			{Paper: ids["autumn"], Day: today - 28, Visits: 5, Counts: map[store.Hit]int64{{Page: 1}: 500}}})
	})
	h.order(ids["autumn"], "one", 2, "x", "X")
	b := desk.browser(t)
	b.signIn(h, h.Username, h.Password)
	b.choose(ids["nothing"])
	b.opens("Numbers")
	b.says("Nobody has read it in this time.")
	b.says("Nobody has clicked a link in this time.")
	b.click("dialog .quiet")
	b.choose(ids["autumn"])
	b.opens("Numbers")
	b.says("1,204")
	require.Equal(t, []string{"1,204", "3", "1"}, value[[]string](b, `[...document.querySelectorAll('figcaption b')].map(e => e.textContent)`))
	require.Contains(t, value[string](b, `document.querySelector('figure svg').getAttribute('aria-label')`), "Page views: 1,204 in 28 days, at most 1,203 a day, on ")
	b.until(`[...document.querySelectorAll('.top img')].length === 2 && [...document.querySelectorAll('.top img')].every(i => i.naturalWidth > 0)`)
	require.Equal(t, "Page 2", value[string](b, `document.querySelector('.top span').textContent`))
	require.Equal(t, []string{long + "|2|1,100", "<b>RK-7</b> Rake|1|2"}, value[[]string](b, `[...document.querySelectorAll('dialog section table tbody tr')].map(r => [...r.cells].map(c => c.textContent).join('|'))`))
	require.True(t, value[bool](b, `(table => table.scrollWidth <= table.clientWidth)(document.querySelector('dialog section .scroll'))`), "the clicks stand beside a long address")
	b.picture("numbers")
	b.click("dialog summary")
	require.Equal(t, fmt.Sprint([]string{today.Start().Format(time.DateOnly), "1203", "2", "0"}), fmt.Sprint(value[[]string](b, `[...document.querySelectorAll('dialog details tbody tr:first-child')[0].cells].map(c => c.textContent)`)))
	require.Equal(t, 28, value[int](b, `document.querySelector('dialog details tbody').rows.length`))
}
