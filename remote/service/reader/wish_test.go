package reader_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// asking returns a PDF of nine pages that are called i, ii, iii, 1 and so on, and that asks for something.
func asking(catalog string) []byte {
	return pdftest.Asking("/PageLabels<</Nums[0<</S/r>>3<</S/D>>]>>"+catalog, "", strings.Fields("one two three four five six seven eight nine")...)
}

// TestASettingPrecedesThePDF checks what a PDF asks for where a setting of the paper or above it says something
// else, and after another PDF took its place.
func TestASettingPrecedesThePDF(t *testing.T) {
	t.Parallel()
	l := open(t)
	book := l.paper("book", asking("/Lang(da)/ViewerPreferences<</Direction/R2L>>/PageLayout/TwoPageLeft"))
	slides := l.paper("slides", asking("/Lang(nonsense!)/PageLayout/SinglePage"))
	shows := func(path string, all ...string) {
		t.Helper()
		page := l.html(path)
		for _, one := range all {
			require.Contains(t, page, one)
		}
	}
	const pair, cover, from, fromLeft = `<article id="p1" class="right"`, `<article id="p1" aria-label`, `tabindex="0" dir="rtl"`, `tabindex="0" aria`
	shows("/book/", `<html lang="da" class="shaped spread"`, pair, from, `aria-label="Side ii (2/9)"`)
	shows("/slides/", `<html lang="en" class="shaped single"`, cover, fromLeft)
	l.set(l.top().ID, "language", "de")
	shows("/book/", `<html lang="de" class="shaped spread"`, `<article id="p1" class="left"`, fromLeft)
	l.set(book, "pageLayout", "spread")
	shows("/book/", `class="shaped spread"`, cover)
	l.set(l.top().ID, "pageLayout", "spread")
	shows("/slides/", `<html lang="de" class="shaped spread"`)
	job, err := l.client.ProcessPDF(t.Context(), slides, options, document(pdftest.Text("one", "two")))
	require.NoError(t, err)
	l.processed(job.GUID)
	shows("/slides/", `aria-label="Seite 2 von 2"`)
}

// TestPagesAreCalledAsInThePDF checks the names of pages, which the field for a page takes first, in a book that is
// read from the right and has no cover.
func TestPagesAreCalledAsInThePDF(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", asking("/ViewerPreferences<</Direction/R2L>>/PageLayout/TwoPageLeft"))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.place("Pages i–ii (1–2/9)")
	b.until(`document.querySelector('#p2').getBoundingClientRect().left === 0 && document.querySelector('#p1').getBoundingClientRect().right === innerWidth`)
	b.press(kb.ArrowLeft)
	b.place("Pages iii–1 (3–4/9)")
	b.picture("labels")
	for _, c := range []struct{ typed, place, field string }{
		{"4", "Pages 4–5 (7–8/9)", "4"}, {"II", "Pages i–ii (1–2/9)", "i"}, {"9", "Page 6 (9/9)", "6"}, {"none", "Page 6 (9/9)", "6"},
	} {
		b.do(chromedp.Focus("#number"), chromedp.Evaluate(`document.querySelector('#number').select()`, nil), chromedp.KeyEvent(c.typed+kb.Enter))
		b.place(c.place)
		b.until(`document.querySelector('#number').value === '` + c.field + `'`)
	}
	b.click("#overview")
	b.until(`document.querySelectorAll('#thumbs li').length === 9`)
	require.Equal(t, "i ii iii 1 2 3 4 5 6", value[string](b, `[...document.querySelectorAll('#thumbs li')].map(l => l.textContent).join(' ')`))
	b.do(chromedp.KeyEvent(kb.Escape))
	b.visit(l.URL + "/book/?Page=4")
	b.place("Pages iii–1 (3–4/9)")
}
