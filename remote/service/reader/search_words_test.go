package reader_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
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
		require.Equal(t, "1 hit.", value[string](b, `document.querySelector('#hits').textContent`), word)
		b.click("#search li a")
		b.until(`document.querySelectorAll('#p1 .mark').length === 1`)
	}
	b.visit(l.URL + "/book/?Highlight=AB-100")
	b.until(`document.querySelectorAll('#p1 .mark').length === 1`)
}

// TestWhatPeopleTypeIsMarked checks that a text that stands otherwise in the paper than people type it is found, and
// that the snippet, the marks on the picture and those in the text are where it stands.
func TestWhatPeopleTypeIsMarked(t *testing.T) {
	browses(t)
	l := open(t)
	paper := l.paper("book", booklet(1))
	lines := []string{"A Wert\u00adpapier\u00adindex of Immo\u00ad", "bilien in Montre\u0301al, o\ufb03ce", "„It’s \uff2fpen“ 1914–18"}
	layer := make([]pdf.Line, len(lines))
	for i, text := range lines {
		layer[i] = pdf.Line{X: .1, Y: .1 * float64(i+1), Width: .8, Height: .05, Text: text}
	}
	l.write(func(tx store.Writer) error {
		var pages []store.Page
		require.NoError(t, tx.Pages(paper, true, func(p store.Page) error { pages = append(pages, p); return nil }))
		pages[0].Text, pages[0].Layer = strings.Join(lines, "\n"), reader.Layer(layer)
		return tx.ReplacePages(paper, pages)
	})
	b := desktop.open(t)
	b.visit(l.URL + "/book/")
	typed := map[string]string{"wertpapierindex": "Wert\u00adpapier\u00adindex", "IMMOBILIEN": "Immo\u00ad\nbilien", "montréal,": "Montre\u0301al,",
		"office": "o\ufb03ce", "ce": "ce", `"it's open" 1`: "„It’s \uff2fpen“ 1", "1914-18": "1914–18", "—": "–", "\u00ad": "", "montrea": ""}
	whole := strings.NewReplacer("\u00ad\n", "", "\u00ad", "") // the text has no hyphens that divide words, but the picture has
	for phrase, is := range typed {
		b.click("#seek")
		b.until(`document.activeElement.id === 'phrase'`)
		b.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelector('#phrase').value = %q, document.querySelector('#find').requestSubmit()`, phrase), nil))
		if is == "" {
			b.until(`document.querySelector('#hits').textContent === 'No page has this text.'`)
			b.do(chromedp.KeyEvent(kb.Escape))
			continue
		}
		b.until(fmt.Sprintf(`document.querySelector('#search mark')?.textContent === %q`, whole.Replace(is)))
		b.click("#search li a")
		parts := strings.Split(is, "\n")
		b.until(fmt.Sprintf(`document.querySelectorAll('#p1 .mark').length === %d`, len(parts)))
		for i, part := range parts {
			where := value[[]float64](b, fmt.Sprintf(`(() => {
				const line = [...document.querySelectorAll('#p1 .layer text')].find(t => t.textContent.includes(%[1]q)), at = line.textContent.indexOf(%[1]q)
				return [line.getStartPositionOfChar(at).x, document.querySelectorAll('#p1 .mark')[%[2]d].x.baseVal.value]
			})()`, part, i))
			require.InDelta(t, where[0], where[1], 1, "%q", part)
		}
	}
	for phrase, is := range typed {
		if is != "" {
			b.visit(l.URL + "/book/?View=text&Highlight=" + url.QueryEscape(phrase))
			b.until(fmt.Sprintf(`[...CSS.highlights.get('found') ?? []].map(r => r.startContainer.textContent.slice(r.startOffset, r.endOffset)).join() === %q`, whole.Replace(is)))
		}
	}
}

// TestHitsAreCountedInTheLanguage checks that each language has a sentence for each kind of number that the browser
// knows of it. Only millions may do without.
func TestHitsAreCountedInTheLanguage(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", chapters(3))
	b := desktop.open(t)
	for tag, words := range view.Languages() {
		b.visit(l.URL + "/book/?ForceLanguage=" + tag)
		kinds := value[[]string](b, `new Intl.PluralRules(document.querySelector('#search').lang).resolvedOptions().pluralCategories`)
		for _, kind := range kinds {
			if kind != "many" {
				require.NotEmpty(t, words.Hits[kind], "%s: %s", tag, kind)
			}
		}
		for phrase, n := range map[string]int{"heading 2": 1, "heading": 3} {
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
