package reader_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// wide returns a picture of 1200 pixels' width.
func wide(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 1200, 600))))
	return b.Bytes()
}

// media creates a paper whose first page has a film and pictures, of the media library and of another host.
func (l *library) media() (paper int64) {
	l.Helper()
	dir, err := l.client.CreateDirectory(l.Context(), 0, "films")
	require.NoError(l, err)
	for name, content := range map[string][]byte{"drill 100%.webm": testrun.Must(os.ReadFile("testdata/film.webm"))(l), "drill.png": wide(l)} {
		_, err := l.client.UploadFile(l.Context(), dir, name, document(content))
		require.NoError(l, err)
	}
	l.set(l.top().ID, "mediaHosts", "cdn.example other.example:8443")
	table := "Id;Name;Url;MediaUrl;AsPopup;PopupFrameMaxWidth\nF-1;Film;;films/drill 100%.webm;;500\nI-1;Drill;;/media/films/drill.png;false;\n" +
		"B-1;Bench;;https://cdn.example/bench.png?v=1;;\nL-1;Leaflet;https://cdn.example/leaflet.png;;true;700px\nN-1;Plain;https://cdn.example/plain.png;;false;\n"
	var links []pdftest.Link
	for i, address := range []string{"PopupVideo/F-1", "InlineImage/I-1", "PopupImage/B-1", "ExternalLink/L-1", "ExternalLink/N-1"} {
		bottom := float64(650 - 120*i)
		links = append(links, pdftest.Link{Left: 100, Right: 400, Bottom: bottom, Top: bottom + 100, URI: "ipaper://" + address})
	}
	return l.paper("tools", pdftest.Attached([]pdftest.File{{Name: "products.csv", Content: table}}, pdftest.Sheet{Text: "Spring", Links: links}, pdftest.Sheet{Text: "Summer"}))
}

// TestMediaAreShownOverThePage checks that nothing of a film or picture is loaded before its spot is pressed, that nothing plays
// by itself or after its dialog, and that other hosts are asked for nothing but what their setting allows.
func TestMediaAreShownOverThePage(t *testing.T) {
	browses(t)
	l := open(t)
	l.media()
	b := desktop.open(t)
	chromedp.ListenTarget(b.ctx, func(event any) {
		if e, ok := event.(*fetch.EventRequestPaused); ok {
			go func() {
				_ = chromedp.Run(b.ctx, fetch.FulfillRequest(e.RequestID, 200).WithBody(base64.StdEncoding.EncodeToString(wide(t))))
			}()
		}
	})
	b.do(fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "https://cdn.example/*"}}))
	asked := func(what string) bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, at := range b.requests {
			if strings.Contains(at, what) {
				return true
			}
		}
		return false
	}
	b.visit(l.URL + "/tools/")
	b.firstView()
	require.False(t, asked("drill") || asked("cdn.example") || asked("medium."), "%v", b.requests)
	const shown = `(i => i?.complete && i.naturalWidth === 1200)(document.querySelector('#medium[open] img'))`
	b.click("a[aria-label=Drill] rect")
	b.until(shown)
	b.picture("medium-image")
	b.press(kb.Escape)
	b.until(`!document.querySelector('#medium').open && document.activeElement.getAttribute('aria-label') === 'Drill'`)
	for _, key := range []string{kb.Enter, " "} {
		b.do(chromedp.Evaluate(`document.querySelector('a[aria-label=Film]').focus()`, nil))
		b.press(key)
		b.until(`document.querySelector('#medium[open] video')?.readyState >= 1`)
		require.Equal(t, []any{true, "Film", "VIDEO"}, value[[]any](b, `[document.querySelector('video').paused, document.querySelector('#medium-title').innerText, document.activeElement.tagName]`))
		require.LessOrEqual(t, value[int](b, `document.querySelector('#medium').offsetWidth`), 500)
		b.picture("medium-video")
		b.do(chromedp.Evaluate(`window.film = document.querySelector('video'); film.loop = true; film.play()`, nil))
		b.until(`film.currentTime > 0`)
		b.press(kb.Escape)
		b.until(`!document.querySelector('#medium').open && film.paused && !film.src && document.activeElement.getAttribute('aria-label') === 'Film'`)
	}
	b.click("a[aria-label=Bench] rect")
	b.until(shown)
	b.click("#medium form button")
	b.until(`!document.querySelector('#medium').open`)
	b.click("a[aria-label=Leaflet] rect")
	b.until(shown)
	require.Equal(t, 700, value[int](b, `document.querySelector('#medium').offsetWidth`))
	b.do(chromedp.MouseClickXY(5, 450)) // beside it
	b.until(`!document.querySelector('#medium').open`)
	require.Equal(t, "_blank", value[string](b, `(a => a.hasAttribute('data-medium') || a.target.baseVal)(document.querySelector('a[aria-label=Plain]'))`))
	require.Equal(t, []string{"img-src 'self' https://cdn.example https://other.example:8443", "media-src 'self' https://cdn.example https://other.example:8443"}, l.allowed("/tools/"))

	plain := screen{width: 1440, height: 900, scale: 1, noScripts: true}.open(t)
	plain.do(chromedp.Navigate(l.URL + "/tools/"))
	require.Contains(t, l.html("/tools/"), `drill%20100%25.webm" aria-label="Film" target="_blank"`, "without scripts, a link to the file")
	plain.click("a[aria-label=Film] rect")
	l.set(l.top().ID, "mediaHosts", "other.example:8443")
	page := l.html("/tools/")
	require.NotContains(t, page, "bench.png", "a host that is not allowed any more")
	require.Contains(t, page, "drill.png")
	require.NotContains(t, strings.Join(l.allowed("/tools/"), ""), "cdn.example")
}

// allowed returns where pictures and films of a page may come from. No other part of the policy names another host.
func (l *library) allowed(path string) []string {
	l.Helper()
	return slices.DeleteFunc(strings.Split(l.answered(path).Header.Get("Content-Security-Policy"), "; "), func(part string) bool {
		media := strings.HasPrefix(part, "img-src ") || strings.HasPrefix(part, "media-src ")
		require.True(l, media || !strings.Contains(part, "https:"), part)
		return !media
	})
}
