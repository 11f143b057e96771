package reader_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestEverybodyCanRead checks that axe finds no accessibility problem in any state of the reader.
func TestEverybodyCanRead(t *testing.T) {
	browses(t)
	root, err := exec.Command("npm", "root", "-g").Output()
	if err != nil {
		testrun.Missing(t, "npm")
	}
	axe, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "axe-core", "axe.min.js"))
	if err != nil {
		testrun.Missing(t, "axe-core (npm install --global axe-core@4.14.1)")
	}
	l := open(t)
	paper := l.paper("book", booklet(6))
	l.links(paper,
		store.Link{Page: 1, X: .1, Y: .1, Width: .3, Height: .1, LinkType: "page", URL: "#p4"},
		store.Link{Page: 1, X: .1, Y: .3, Width: .3, Height: .1, LinkType: "shopitem", Param: "<item><name>Rake</name><price>29.25</price></item>"})
	l.paper("chapters", chapters(6))
	_, err = l.client.CreatePaper(l.Context(), l.top(), "Empty", "empty")
	require.NoError(t, err)
	l.shop()
	l.media()
	l.imported("imported")
	branded := l.paper("branded", chapters(6))
	l.everyTool(branded)
	l.set(branded, "accentColor", "#ffd400")
	require.NoError(t, l.client.MovePaper(l.Context(), l.paper("inside", booklet(1)), l.category("seasons").ID))
	views := strings.TrimPrefix(l.viewed(paper, map[int]int64{1: 40, 2: 3}), l.URL)
	basket := func(b *tab) { b.put("Rake"); b.until(`document.querySelector('#basket').open`) }
	dark := desktop
	dark.dark = true
	for name, state := range map[string]struct {
		screen
		path string
		act  func(b *tab)
	}{
		"desktop":  {desktop, "/book/", nil},
		"dark":     {dark, "/book/", nil},
		"phone":    {phone, "/book/?Page=3", nil},
		"overview": {desktop, "/book/", func(b *tab) { b.click("#overview"); b.until(`document.querySelector('#thumbs').open`) }},
		"contents": {desktop, "/chapters/", func(b *tab) { b.click("#chapters"); b.until(`document.querySelector('#contents').open`) }},
		"search":   {desktop, "/chapters/", func(b *tab) { b.seek("words"); b.until(`document.querySelector('#search li')`) }},
		"menu on a phone": {phone, "/shop/", func(b *tab) {
			b.click("#more")
			b.until(`document.querySelector('#tools').matches(':popover-open')`)
		}},
		"search on a phone": {phone, "/chapters/", func(b *tab) {
			b.do(chromedp.Evaluate(`document.querySelector('#seek').click()`, nil))
			b.until(`document.querySelector('#search').open`)
		}},
		"dark search": {dark, "/chapters/?ForceLanguage=de", func(b *tab) { b.seek("words"); b.until(`document.querySelector('#search li')`) }},
		"marked":      {desktop, "/chapters/?Highlight=words", func(b *tab) { b.until(`document.querySelector('.mark')`) }},
		"item": {desktop, "/book/", func(b *tab) {
			b.click("a[aria-label=Rake] rect")
			b.until(`document.querySelector('#item').open`)
			b.picture("item")
		}},
		"dark film": {dark, "/tools/", func(b *tab) {
			b.click("a[aria-label=Film] rect")
			b.until(`document.querySelector('#medium[open] video')?.readyState >= 1`)
		}},
		"zoom":      {desktop, "/book/", func(b *tab) { b.click("#larger"); b.until(`document.documentElement.classList.contains('zoomed')`) }},
		"text":      {desktop, "/book/?View=text", nil},
		"dark text": {dark, "/book/?View=text&ForceLanguage=de", nil},
		"product": {desktop, "/shop/", func(b *tab) {
			b.click("a[aria-label=Rake] rect")
			b.until(`document.querySelector('#item').open`)
			b.picture("item")
		}},
		"basket":            {desktop, "/shop/", basket},
		"dark basket":       {dark, "/shop/?ForceLanguage=de", func(b *tab) { basket(b); b.picture("shop-dark") }},
		"basket on a phone": {phone, "/shop/", basket},
		"dark product on a phone": {screen{width: 390, height: 844, scale: 3, touch: true, dark: true}, "/shop/", func(b *tab) {
			b.click("a[aria-label=Rake] rect")
			b.until(`document.querySelector('#item').open`)
			b.picture("item")
		}},
		"ordered": {desktop, "/shop/", func(b *tab) {
			b.do(chromedp.Evaluate(held, nil))
			basket(b)
			b.click("[data-checkout=CheckoutByEmail]")
			b.until(`document.querySelector('#done a')?.checkVisibility()`)
		}},
		"brand":         {desktop, "/branded/?Page=2", func(b *tab) { b.picture("brand") }},
		"brand's text":  {dark, "/branded/?View=text", nil},
		"brand at rest": {desktop, "/branded/", func(b *tab) { b.do(chromedp.Evaluate(`document.documentElement.classList.add('quiet')`, nil)) }},
		"brand on a phone": {screen{width: 390, height: 844, scale: 3, touch: true, dark: true}, "/branded/?Page=2", func(b *tab) {
			b.click("#more")
			b.until(`document.querySelector('#tools').matches(':popover-open')`)
			b.picture("brand-phone")
		}},
		"shop's text": {dark, "/shop/?View=text", func(b *tab) { b.picture("shop-text") }},
		"sharing":     {dark, "/book/", func(b *tab) { b.click("#share"); b.until(`document.querySelector('#sharing').open`) }},
		"hits": {desktop, "/chapters/", func(b *tab) {
			b.seek("words")
			b.click("#search li a")
			b.until(`document.querySelector('#found').checkVisibility()`)
		}},
		"shelf":                 {desktop, "/", nil},
		"dark shelf on a phone": {screen{width: 390, height: 844, scale: 3, touch: true, dark: true}, "/?ForceLanguage=de", nil},
		"shelf without hits":    {desktop, "/?Search=nothing", nil},
		"dark shelf":            {dark, "/seasons/?Order=newest", nil},
		"empty":                 {desktop, "/empty/", nil},
		"without pictures":      {phone, "/imported/", nil},
		"views":                 {desktop, views, nil},
		"dark views on a phone": {screen{width: 390, height: 844, scale: 3, touch: true, dark: true}, views, nil},
		"help":                  {desktop, "/V2/Paper.asmx", func(b *tab) { b.picture("help-group") }},
		"help on a phone":       {phone, "/V2/Media.asmx?op=UploadFile", func(b *tab) { b.picture("help-phone") }},
		"dark help":             {dark, "/V2/Media.asmx?op=UploadFile", func(b *tab) { b.picture("help-dark") }},
	} {
		t.Run(name, func(t *testing.T) {
			b := state.open(t)
			if strings.HasPrefix(state.path, "/?") || state.path == "/" || strings.HasPrefix(state.path, "/seasons/") || strings.HasPrefix(state.path, "/V2/") || state.path == views {
				b.do(chromedp.Navigate(l.URL + state.path))
			} else {
				b.visit(l.URL + state.path)
			}
			if state.act != nil {
				state.act(b)
			}
			b.do(chromedp.Evaluate(string(axe), nil))
			found := value[[]string](b, `axe.run({resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ': ' + v.help + ' ' + v.nodes.map(n => n.html.slice(0, 200)).join(' | ')))`)
			require.Empty(t, found)
		})
	}
}

// TestAPhoneHasAHeading checks that title and page number are seen on a phone.
func TestAPhoneHasAHeading(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(2))
	b := phone.open(t)
	b.visit(l.URL + "/book/")
	require.Equal(t, []any{"Paper book", true, true}, value[[]any](b, `(h => [h.textContent, h.checkVisibility() && document.querySelector('#place').checkVisibility(), h.offsetWidth > 40])(document.querySelector('h1'))`))
	for _, width := range []int64{320, 390, 500, 560, 620, 700} {
		b = screen{width: width, height: 844, scale: 1, touch: true}.open(t)
		b.visit(l.URL + "/book/?View=text&ForceLanguage=de")
		require.Greater(t, value[int](b, `document.querySelector('h1').offsetWidth`), 40, "the text view of %d pixels has no room for the heading", width)
	}
}
