package reader_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// line draws a text at a place of a page, in points from its lower left corner.
func line(size, x, y float64, text string) string {
	return fmt.Sprintf("BT /F1 %g Tf %g %g Td (%s) Tj ET\n", size, x, y, text)
}

// twoColumns returns a PDF whose text has a heading, two columns and a list. The PDF draws it from the top to the bottom of
// the page, and so from column to column.
func twoColumns() []byte {
	left := []string{"Some makers weave baskets of wil-", "low that grows beside the harbour,", "and wear a well-known blue T-", "Shirt while they work. It is well-", "known."}
	right := []string{"Others sew quilts all winter long.", "Each quilt takes a week of hand-", "icraft, and some take a lot more", "of it. The oldest maker of them is", "proud of each of the QUILT-"}
	var b strings.Builder
	b.WriteString(line(24, 60, 770, "Autumn at the harbour"))
	b.WriteString(line(14, 60, 730, "Makers"))
	for i := range left {
		y := 700 - 14*float64(i)
		b.WriteString(line(10, 60, y, left[i]))
		b.WriteString(line(10, 320, y, right[i]))
	}
	b.WriteString(line(10, 320, 630, "MAKERS of the village."))
	for i, item := range []string{"\\267 willow of the harbour, which is cut in March and", "  dried until September", "\\267 linen"} {
		b.WriteString(line(10, 60, 560-14*float64(i), item))
	}
	return pdftest.Document([]pdftest.Sheet{{Content: b.String()}, {Text: "Another page."}})
}

var said = regexp.MustCompile(`(?s)<div class="said">\n(.*?)\n</div>`)

// TestTextIsInParagraphs checks the text that phones and screen readers read, in the text view and beside the pictures.
func TestTextIsInParagraphs(t *testing.T) {
	t.Parallel()
	l := open(t)
	l.paper("harbour", twoColumns())
	for _, view := range []string{"", "?View=text"} {
		require.Equal(t, strings.Join([]string{
			`<h3 dir="auto">Autumn at the harbour</h3>`,
			`<h4 dir="auto">Makers</h4>`,
			`<p dir="auto">Some makers weave baskets of willow that grows beside the harbour, and wear a well-known blue T-Shirt while they work. It is well-known.</p>`,
			`<p dir="auto">Others sew quilts all winter long. Each quilt takes a week of handicraft, and some take a lot more of it. The oldest maker of them is proud of each of the QUILTMAKERS of the village.</p>`,
			`<ul><li dir="auto">willow of the harbour, which is cut in March and dried until September</li>`,
			`<li dir="auto">linen</li></ul>`}, "\n"), said.FindStringSubmatch(l.html("/harbour/" + view))[1], view)
	}
}

// TestTextIsReadAloud checks that the browser's voice reads from the page that is shown, block by block, until the button is
// pressed again.
func TestTextIsReadAloud(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("harbour", twoColumns())
	b := phone.open(t)
	b.visit(l.URL + "/harbour/?View=text")
	b.picture("text")
	require.InDelta(t, 0, value[float64](b, `document.querySelector('#p1').getBoundingClientRect().bottom - document.querySelector('#p1 .said').getBoundingClientRect().bottom`), 40, "a page is as high as its text")
	b.do(chromedp.Evaluate(`window.said = []; speechSynthesis.speak = u => { said.push(u.lang + ' ' + u.text); window.one = u }; speechSynthesis.cancel = () => { said.push('') }`, nil))
	b.click("#more")
	b.click("#speak")
	b.until(`said.length === 2`)
	b.until(`document.querySelector('.spoken').textContent === 'Autumn at the harbour' && document.querySelector('#speak').ariaPressed === 'true'`)
	b.do(chromedp.Evaluate(`one.onend()`, nil))
	b.until(`said.length === 3`)
	require.Equal(t, []string{"", "en Autumn at the harbour", "en Makers"}, value[[]string](b, `said`))
	b.click("#more")
	b.click("#speak")
	b.until(`!document.querySelector('.spoken') && document.querySelector('#speak').ariaPressed === 'false'`)
	b.do(chromedp.Evaluate(`one.onend(); said = []`, nil))
	require.Empty(t, value[[]string](b, `said`), "what ends after the press leads on to nothing")
	b.visit(l.URL + "/harbour/")
	require.Zero(t, value[int](b, `document.querySelectorAll('#speak').length`), "pictures are not read aloud")
}
