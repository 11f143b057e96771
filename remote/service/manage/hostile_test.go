package manage_test

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestHostilePagesChangeNothing opens, in a browser that is signed in, what others can make: HTML and SVG among the media files of the same host, and a page of
// another host, which sends forms and requests, and frames the page.
func TestHostilePagesChangeNothing(t *testing.T) {
	h := open(t)
	ids := h.library()
	b := desk.browser(t)
	b.expects("") // all of it is refused, and the browser says so
	b.signIn(h, h.Username, h.Password)
	before := h.all()
	attack := fmt.Sprintf(`
		const token = fetch('%[1]s/manage/', {credentials: 'include'}).then(r => r.text()).then(t => t.match(/"token":"(.*?)"/)[1])
		const send = token => fetch('%[1]s/manage/call/Paper/DeletePaper', {method: 'POST', credentials: 'include', mode: 'no-cors', headers: {'Content-Type': 'application/x-www-form-urlencoded'},
			body: 'paperID=%[2]d&token=' + token})
		token.then(send, () => send('x')).catch(() => {})
		document.title = 'ran'`, h.URL, ids["autumn"])
	form := fmt.Sprintf(`<form id="f" method="post" action="%s/manage/call/Paper/DeletePaper"><input name="paperID" value="%d"><input name="token" value="x"></form>`, h.URL, ids["autumn"])
	frame := `<iframe src="` + h.URL + `/manage/"></iframe>`
	for name, text := range map[string]string{
		"evil.html": "<!DOCTYPE html><title>evil</title>" + frame + form + "<script>" + attack + "\ndocument.querySelector('#f').submit()</script>",
		"evil.svg":  `<svg xmlns="http://www.w3.org/2000/svg"><title>evil</title><script><![CDATA[` + attack + `]]></script></svg>`,
	} {
		up := testrun.Must(h.client.UploadFile(t.Context(), 0, name, content(text)))(t)
		b.do(chromedp.Navigate(fmt.Sprintf("%s/media/%d/%s", h.URL, up.FileID, name)))
		require.Equal(t, "evil", value[string](b, `document.title`), "no script of it runs")
		require.ElementsMatch(t, before, h.all(), name)
	}
	// Another host: 127.0.0.1 and localhost are two sites.
	l := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		page := "<!DOCTYPE html><title>evil</title>" + form + frame + "<script>" + attack
		if r.URL.Path == "/form" {
			page += "\ndocument.querySelector('#f').submit()"
		}
		_, _ = w.Write([]byte(page + "</script>"))
	})}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { s.Close() })
	evil := "http://localhost:" + l.Addr().String()[strings.LastIndexByte(l.Addr().String(), ':')+1:]
	b.do(chromedp.Navigate(evil + "/frame"))
	b.until(`document.title === 'ran'`)
	framed := value[int](b, `new Promise(resolve => setTimeout(() => { try { resolve(frames[0].document.querySelectorAll('#cards').length) } catch { resolve(-1) } }, 500))`)
	require.Equal(t, -1, framed, "it is a document of another origin: the browser's own, which says that it is refused")
	b.picture("framed")
	b.do(chromedp.Navigate(evil + "/form"))
	b.says("did not come from the page itself")
	require.Equal(t, "/manage/call/Paper/DeletePaper", testrun.Must(url.Parse(value[string](b, `location.href`)))(t).Path)
	require.ElementsMatch(t, before, h.all())
	// A link from there opens the page, although the browser sends no cookie with it.
	b.do(chromedp.Evaluate(fmt.Sprintf(`location.href = '%s/manage/'`, h.URL), nil))
	b.ready()
	b.do(chromedp.Navigate(evil+"/frame"), chromedp.Evaluate(fmt.Sprintf(`location.href = '%s/manage/'`, h.URL), nil))
	b.ready()
}

// TestALinkIsOpenedInABrowser opens a one-use link: the secret leaves the address at once, and the second visit finds no use in it.
func TestALinkIsOpenedInABrowser(t *testing.T) {
	h := open(t)
	link := testrun.Must(h.client.CreateSignInLink(t.Context()))(t)
	b := desk.browser(t)
	b.do(chromedp.Navigate(link))
	b.ready()
	require.Equal(t, h.URL+"/manage/", value[string](b, `location.href`))
	require.NotContains(t, strings.Join(b.requests, " "), link[strings.IndexByte(link, '#')+6:])
	again := desk.browser(t)
	again.expects("403")
	again.do(chromedp.Navigate(link))
	again.says("This link was used already, or is too old.")
	again.picture("link-over")
}
