package reader_test

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestStatesAreSaidInTheReadersStyle checks what a reader gets where no pages can be shown: in the publisher's
// language, fitting a phone, with what can be done. Nothing tells a paper that is not published yet from none.
func TestStatesAreSaidInTheReadersStyle(t *testing.T) {
	browses(t)
	l := open(t)
	l.set(l.top().ID, "language", "de")
	paper := l.paper("book", booklet(2))
	for _, c := range []struct {
		path, heading string
		from, to      time.Duration // the paper's period, from now
	}{
		{"/nothing/", "Hier ist nichts veröffentlicht", 0, 0},
		{"/book/", "Hier ist nichts veröffentlicht", time.Hour, 2 * time.Hour},
		{"/book/", "Diese Publikation ist abgelaufen", -2 * time.Hour, -time.Hour},
		{"/book/?SecurityToken=x", "Diese Vorschau ist vorbei", -time.Hour, time.Hour},
		{"/book/?SecurityToken=x&ForceLanguage=fr", "Cet aperçu est terminé", -time.Hour, time.Hour},
	} {
		if c.to != 0 {
			require.NoError(t, l.client.SetPublicationPeriod(l.Context(), paper, remote.Period{From: time.Now().Add(c.from), To: time.Now().Add(c.to)}))
		}
		b := phone.open(t)
		b.do(chromedp.Navigate(l.URL + c.path))
		b.until(`document.readyState === 'complete' && document.querySelector('h1')`)
		require.Equal(t, c.heading, value[string](b, `document.querySelector('h1').textContent`))
		require.Equal(t, []any{390., "127.0.0.1", true, true}, value[[]any](b, `[document.documentElement.scrollWidth, document.querySelector('.whose').textContent, document.querySelector('.go').getBoundingClientRect().height >= 44, getComputedStyle(document.querySelector('.go')).backgroundColor !== 'rgba(0, 0, 0, 0)']`))
		b.picture(c.path)
		b.expected("40")
	}
}

// TestAPaperThatIsProcessedOpensByItself checks that a paper without pages says so while it is processed, and then
// opens without the reader's doing.
func TestAPaperThatIsProcessedOpensByItself(t *testing.T) {
	browses(t)
	l := open(t)
	id, err := l.client.CreatePaper(l.Context(), l.top(), "Paper book", "book")
	require.NoError(t, err)
	s := desktop
	s.noScripts = true
	b := s.open(t)
	job, err := l.client.ProcessPDF(l.Context(), id, options, document(manual(300)))
	require.NoError(t, err)
	b.do(chromedp.Navigate(l.URL + "/book/"))
	b.until(`document.querySelector('h1')?.textContent === 'This publication is being prepared'`)
	l.processed(job.GUID)
	b.until(`document.querySelector('#p300')`)
}

// TestAPreviewSaysWhenItEnds checks the banner of a preview.
func TestAPreviewSaysWhenItEnds(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(2))
	token, err := l.client.CreatePreviewToken(l.Context(), paper, 60, "")
	require.NoError(t, err)
	b := phone.open(t)
	b.visit(l.URL + "/book/?ForceLanguage=de&SecurityToken=" + token)
	require.Equal(t, []any{true, true}, value[[]any](b, `(e => [/^Vorschau bis \d+\.\d+\.\d+, \d+:\d+$/.test(e.textContent.trim()), Math.abs(new Date(e.querySelector('time').dateTime) - Date.now() - 3600e3) < 300e3])(document.querySelector('#ends'))`))
	b.visit(l.URL + "/book/")
	require.False(t, value[bool](b, `Boolean(document.querySelector('#ends'))`))
}

// TestAReaderWithoutAConnection checks that the reader is told, sees no broken picture, and that missing pictures come with the connection.
func TestAReaderWithoutAConnection(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(20))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	b.press("Shift")
	b.until(`document.querySelector('#p3 img').naturalWidth > 0`)
	offline := func(off bool) {
		b.do(network.OverrideNetworkState(off, 0, -1, -1))
	}
	b.block("*://*:*/book/Image.ashx*")
	offline(true)
	b.until(`/^You are offline/.test(document.querySelector('.note')?.textContent)`)
	b.do(chromedp.Evaluate(`location.hash = 'p10'`, nil))
	b.place("Pages 10–11 of 20")
	b.until(`document.querySelector('#p10 img').matches('.lost')`)
	b.click("#share") // its script cannot be loaded
	require.Equal(t, []any{"hidden", "Pages 10–11 of 20"}, value[[]any](b, `[getComputedStyle(document.querySelector('#p10 img')).visibility, document.querySelector('#place').textContent]`), "the banner alone says it")
	b.picture("offline")
	b.block()
	offline(false)
	b.until(`!document.querySelector('.note') && document.querySelector('#p10 img').naturalWidth > 0 && !document.querySelector('.lost')`)
	b.expected("")
}
