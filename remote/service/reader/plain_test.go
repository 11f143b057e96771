package reader_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// imported creates a paper whose pages have text but no pictures, as an import does.
func (l *library) imported(name string) {
	l.Helper()
	id, err := l.client.CreatePaper(l.Context(), l.top(), "Paper "+name, name)
	require.NoError(l, err)
	elsewhere := []store.Image{{Type: "Normal", SizeKB: 9, URL: "https://images.example/1.jpg"}}
	l.write(func(tx store.Writer) error {
		return tx.ReplacePages(id, []store.Page{
			{Number: 1, Text: "Spring is here.", Images: elsewhere},
			{Number: 2, Text: strings.Repeat("Rakes and spades. ", 2000), Images: elsewhere},
			{Number: 3, Text: "Seeds for summer.", Images: elsewhere},
		})
	})
}

// TestPagesWithoutPicturesShowTheirText checks that search finds and marks the text, and that the
// bar offers nothing that such a paper lacks.
func TestPagesWithoutPicturesShowTheirText(t *testing.T) {
	browses(t)
	l := open(t)
	l.imported("imported")
	for _, on := range []screen{desktop, phone} {
		b := on.open(t)
		b.visit(l.URL + "/imported/")
		shown := func(words string) {
			t.Helper()
			b.until(`[.25, .75].some(x => document.elementFromPoint(x * innerWidth, innerHeight / 2)?.closest('.words')?.textContent.includes('` + words + `'))`)
		}
		shown("Spring is here.")
		require.False(t, value[bool](b, `!!document.querySelector('#chapters, #contents')`), "a paper without titles has no contents")
		b.click("#next")
		b.until(`document.querySelector('#place').textContent.includes('2')`)
		shown("Rakes and spades.")
		require.True(t, value[bool](b, `(e => e.scrollHeight > e.clientHeight && e.scrollWidth <= e.clientWidth)(document.querySelector('#p2 .words'))`), "long text scrolls within its page")
		b.do(chromedp.Evaluate(`document.querySelector('#seek').click()`, nil))
		b.until(`document.activeElement.id === 'phrase'`)
		b.do(chromedp.KeyEvent("summer\r"))
		b.until(`document.querySelector('#hits').textContent === '1 hit.'`)
		require.Equal(t, "summer", value[string](b, `[...CSS.highlights.get('found')].map(r => r.startContainer.textContent.slice(r.startOffset, r.endOffset)).join()`))
		b.click("#search li a")
		shown("Seeds for summer.")
	}
}

// TestPagesWithoutPicturesPrintAllTheirText checks that printing shows the text that would scroll on screen.
func TestPagesWithoutPicturesPrintAllTheirText(t *testing.T) {
	browses(t)
	l := open(t)
	l.imported("imported")
	b := desktop.open(t)
	b.visit(l.URL + "/imported/")
	b.do(chromedp.Evaluate(`window.print = () => { window.printed = true }`, nil))
	b.click("#print")
	b.until(`window.printed`) // its text is longer than the first part of it that is sent
	b.do(emulation.SetEmulatedMedia().WithMedia("print"))
	b.until(`matchMedia('print').matches`)
	require.Equal(t, []bool{true, true}, value[[]bool](b, `(() => {
		const words = document.querySelector('#p2 .words'), r = words.getBoundingClientRect(), text = words.querySelector('p').getBoundingClientRect()
		return [text.height > innerHeight && text.bottom <= r.bottom, document.querySelector('#p3').getBoundingClientRect().top >= r.bottom]
	})()`), "the box contains all of the text, and the next page begins after it")
}
