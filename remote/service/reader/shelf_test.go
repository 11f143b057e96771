package reader_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// category creates a category below the root.
func (l *library) category(name string) remote.Node {
	l.Helper()
	id, err := l.client.CreateCategory(l.Context(), l.top(), "Category "+name, name)
	require.NoError(l, err)
	return remote.Node{ID: id, URL: "/" + name + "/"}
}

// shelf opens the address of a category, which has no scripts.
func (b *tab) shelf(address string) {
	b.Helper()
	b.do(chromedp.Navigate(address))
	b.until(`document.readyState === 'complete' && document.querySelector('.shelf')`)
}

// TestAShelfLeadsToItsPapers uses mouse, keyboard and touch, without a script, and checks that the
// covers load.
func TestAShelfLeadsToItsPapers(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("autumn", booklet(2))
	inside := l.paper("inside", booklet(2))
	category := l.category("seasons")
	require.NoError(t, l.client.MovePaper(l.Context(), inside, category.ID))
	_, err := l.client.CreatePaper(l.Context(), l.top(), "Without pages", "none")
	require.NoError(t, err)
	quiet := desktop
	quiet.noScripts = true
	for name, on := range map[string]screen{"desktop": desktop, "phone": phone, "no scripts": quiet, "dark": {width: 1440, height: 900, scale: 1, dark: true}} {
		t.Run(name, func(t *testing.T) {
			b := on.open(t)
			if on.noScripts {
				b.do(chromedp.Navigate(l.URL+"/"), chromedp.WaitVisible("#papers"))
				b.picture("shelf-no-scripts")
				b.do(chromedp.Click(`a[href="autumn/"]`), chromedp.WaitVisible("#p1"))
				return
			}
			b.shelf(l.URL + "/")
			b.until(`[...document.images].length === 2 && [...document.images].every(img => img.complete && img.naturalWidth > 0)`)
			require.True(t, value[bool](b, `document.documentElement.scrollWidth <= innerWidth`))
			require.False(t, value[bool](b, `!!document.querySelector('a[href="none/"]')`), "a paper without pages")
			require.Equal(t, "Category seasons Category", value[string](b, `document.querySelector('.category a').textContent.trim()`))
			require.True(t, value[bool](b, `[...document.querySelectorAll('li a')].every(a => a.getBoundingClientRect().height >= 44)`))
			b.picture("shelf-" + name)
			if on.touch {
				b.click(`a[href="autumn/"]`)
				b.until(`document.querySelector('#p1')`)
				return
			}
			b.do(chromedp.KeyEvent(kb.Tab))
			require.Equal(t, "#papers", value[string](b, `document.activeElement.getAttribute('href')`), "the first Tab stop is the link that skips the bar")
			b.do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Tab))
			b.until(`document.activeElement.name === 'Search'`)
			b.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab))
			require.Equal(t, "seasons/", value[string](b, `document.activeElement.getAttribute('href')`))
			b.do(chromedp.KeyEvent(kb.Enter))
			b.until(`document.querySelector('a[href="inside/"] img')?.naturalWidth > 0`)
			b.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter)) // after the way to here
			b.until(`document.documentElement.classList.contains('ready') && location.pathname.endsWith('/seasons/inside/')`)
			b.do(chromedp.Evaluate(`history.back()`, nil))
			b.until(`document.querySelector('a[href="inside/"]')`)
		})
	}
}

// blank adds papers whose page has no picture.
func (l *library) blank(parent remote.Node, number int) {
	l.Helper()
	l.write(func(tx store.Writer) error {
		tenants, err := tx.Tenants()
		if err != nil {
			return err
		}
		for i := range number {
			name := fmt.Sprintf("z%04d", i)
			id, err := tx.AddNode(store.Node{Tenant: tenants[0].ID, Parent: parent.ID, Kind: remote.PaperNode, Name: "Paper " + name, URLName: name})
			if err != nil {
				return err
			}
			if err := tx.ReplacePages(id, []store.Page{{Number: 1}}); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestAShelfOfManyIsSmall checks that, of a thousand papers, a browser loads only the visible covers
// and those near them.
func TestAShelfOfManyIsSmall(t *testing.T) {
	browses(t)
	l := open(t)
	many := l.category("many")
	for i := range 50 {
		id := l.paper(fmt.Sprintf("a%02d", i), booklet(1))
		require.NoError(t, l.client.MovePaper(l.Context(), id, many.ID))
	}
	l.blank(many, 951)
	b := phone.open(t)
	b.shelf(l.URL + "/many/")
	require.Equal(t, 1_000, value[int](b, `document.querySelectorAll('li').length`))
	b.mu.Lock()
	requests, size := len(b.requests), b.bytes
	b.mu.Unlock()
	t.Logf("%d requests, %d bytes", requests, size)
	require.Less(t, requests, 4+50)
	require.LessOrEqual(t, size, int64(280_000)) // a dozen covers of 20 KB, and what tells of a thousand papers
	b.do(chromedp.Evaluate(`document.querySelector('a[rel=next]').click()`, nil))
	b.until(`document.querySelectorAll('li').length === 1`)
}
