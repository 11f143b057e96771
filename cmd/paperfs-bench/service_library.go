package main

import (
	"bufio"
	"fmt"
	"io"
)

// firstPaper is the address of the first paper of writeLibrary.
const firstPaper = "/c0/p0/"

// perCategory is the number of papers in a category.
const perCategory = 100

// writeLibrary writes papers as a file for import. Each has a page with text.
func writeLibrary(w io.Writer, papers int) error {
	b := bufio.NewWriter(w)
	b.WriteString("<import>")
	for i := range papers {
		fmt.Fprintf(b, `<paper url="/c%d/p%d/" name="Paper %[2]d"><pages><page number="1"><text>This is what paper %[2]d says about gardens, tools, ponds, birds and trees.</text></page></pages></paper>`, i/perCategory, i)
	}
	b.WriteString("</import>")
	return b.Flush()
}
