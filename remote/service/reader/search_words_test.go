package reader_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/reader/view"
)

// TestEveryCharacterIsSought checks that every character is searched literally: a phrase is not a regular expression.
func TestEveryCharacterIsSought(t *testing.T) {
	browses(t)
	l := open(t)
	words := []string{`AB-100`, `(new)`, `[50%]`, `a.b*c+d?`, `{2}|^y$`, `/i\w`, `--`, `e-mail`}
	text := ""
	for _, word := range words {
		text += "Item " + word + " is here.\n"
	}
	l.paper("book", pdftest.Document([]pdftest.Sheet{{Text: text}, {Text: "AB100 new 50% abcd 2y iw email"}}))
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	for _, word := range words {
		b.seek(word)
		b.until(fmt.Sprintf(`document.querySelector('#search mark')?.textContent === %q`, word))
		require.Equal(t, "1 page has this text.", value[string](b, `document.querySelector('#hits').textContent`), word)
		b.click("#search li a")
		b.until(`document.querySelectorAll('#p1 .mark').length === 1`)
	}
	b.visit(l.URL + "/book/?Highlight=AB-100")
	b.until(`document.querySelectorAll('#p1 .mark').length === 1`)
}

// TestHitsAreCountedInTheLanguage checks that each language has a sentence for each kind of number that the browser
// knows of it. Only millions may do without.
func TestHitsAreCountedInTheLanguage(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(3))
	b := desktop.open(t)
	for tag, words := range view.Languages() {
		b.visit(l.URL + "/book/?ForceLanguage=" + tag)
		kinds := value[[]string](b, `new Intl.PluralRules(document.querySelector('#search').lang).resolvedOptions().pluralCategories`)
		for _, kind := range kinds {
			if kind != "many" {
				require.NotEmpty(t, words.Hits[kind], "%s: %s", tag, kind)
			}
		}
		for phrase, n := range map[string]int{"page 2 of": 1, "booklet": 3} {
			b.seek(phrase)
			kind := "other"
			if n == 1 {
				kind = "one"
			}
			b.until(fmt.Sprintf(`document.querySelector('#hits').textContent === %q`, fmt.Sprintf(words.Hits[kind], n)))
			b.do(chromedp.KeyEvent(kb.Escape))
		}
	}
}
