package measure

import (
	"bufio"
	"fmt"
	"io"
)

// Words and fields of Library that searches can find.
const (
	manyWord  = "hedgehogs" // in a tenth of the papers
	fewWord   = "unicorns"  // in ten papers at most
	fieldName = "Season"    // of the papers with manyWord
	season    = "spring"

	firstPaper = "/c0/p0/"
)

// perCategory is the number of papers in a category.
const perCategory = 100

// Library writes the papers with numbers in [from, to) as a file for import. Each has a page
// with text.
func Library(w io.Writer, from, to int) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<import><fields><field name="%s" datatype="string"/></fields>`, fieldName)
	for i := from; i < to; i++ {
		fmt.Fprintf(b, `<paper url="/c%d/p%d/" name="Paper %[2]d">`, i/perCategory, i)
		words := ""
		if i%10 == 0 {
			fmt.Fprintf(b, `<customfields><field name="%s">%s</field></customfields>`, fieldName, season)
			words += " with " + manyWord
		}
		if i < 10 {
			words += " and " + fewWord
		}
		fmt.Fprintf(b, `<pages><page number="1"><text>This is what paper %d says about gardens, tools, ponds, birds and trees%s. It was written on day %d of a long year, and nobody has read all of it.</text></page></pages></paper>`,
			i, words, i%365)
	}
	b.WriteString("</import>")
	return b.Flush()
}
