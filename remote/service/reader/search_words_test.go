package reader_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
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
		require.Equal(t, "Pages with this text: 1", value[string](b, `document.querySelector('#hits').textContent`), word)
		b.click("#search li a")
		b.until(`document.querySelectorAll('#p1 .mark').length === 1`)
	}
	b.visit(l.URL + "/book/?Highlight=AB-100")
	b.until(`document.querySelectorAll('#p1 .mark').length === 1`)
}
