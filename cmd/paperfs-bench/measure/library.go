package measure

import (
	"bufio"
	"fmt"
	"io"
)

// What Library writes can be searched for.
const (
	manyWord  = "hedgehogs" // in a tenth of the papers
	fewWord   = "unicorns"  // in ten papers at most
	fieldName = "Season"    // of the papers with manyWord
	season    = "spring"

	firstPaper = "/c0/p0/"
)

// perCategory is how many papers a category has.
const perCategory = 100

// Library writes the papers from one number to another, as a file that the service
// imports: each has a page with text.
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
