// Package pdftest makes small PDFs without a library, for tests and benchmarks.
package pdftest

import (
	"bytes"
	"fmt"
	"strings"
)

// Sheet is a page. Its text is ASCII, one line below the other.
type Sheet struct {
	Width, Height float64 // points; 0 = A4
	Text          string
	URI           string // target of a link over the upper half; "" for no link
	To            int    // target page of a link over the lower half; 0 for no link
	Links         []Link
	Content       string // drawing operators after the text
}

// Link is an area that leads to an address. Its corners are in points, from the lower left.
type Link struct {
	Left, Bottom, Right, Top float64
	URI                      string
}

// File is an attachment of a document.
type File struct{ Name, Content string }

// Bookmark is a bookmark to a page, by its number.
type Bookmark struct {
	Title string
	Page  int
}

// Text returns a PDF with a page for each text.
func Text(texts ...string) []byte {
	var sheets []Sheet
	for _, text := range texts {
		sheets = append(sheets, Sheet{Text: text})
	}
	return Document(sheets)
}

// Forever returns a PDF of two pages. Rendering the second takes practically for
// ever: each of its pixels needs many steps.
func Forever() []byte {
	const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>/Shading<</S0 8 0 R>>>>/Contents %d 0 R>>`
	return file([]string{
		"<</Type/Catalog/Pages 2 0 R>>",
		"<</Type/Pages/Count 2/Kids[4 0 R 6 0 R]>>",
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
		fmt.Sprintf(page, 5), stream("", Sheet{Text: "one"}.content()),
		fmt.Sprintf(page, 7), stream("", Sheet{Text: "two", Content: strings.Repeat("/S0 sh ", 100)}.content()),
		"<</ShadingType 1/ColorSpace/DeviceRGB/Function 9 0 R/Matrix[595 0 0 842 0 0]>>",
		stream("/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1]", "{ "+strings.Repeat("0 pop ", 50_000)+"0 }"),
	})
}

// The numbers of the first objects; pages follow, two objects each, then
// bookmarks.
const (
	catalog = iota + 1
	pageTree
	font
	outlines
	firstPage
)

// Document returns a PDF with pages and bookmarks.
func Document(sheets []Sheet, bookmarks ...Bookmark) []byte {
	return DocumentWith(nil, sheets, bookmarks...)
}

// Attached is Document with attached files.
func Attached(files []File, sheets ...Sheet) []byte {
	return document(nil, files, sheets, nil)
}

// DocumentWith is Document with form XObjects of the given contents, which the
// Content of a Sheet and of a form can draw as X0, X1 and so on.
func DocumentWith(forms []string, sheets []Sheet, bookmarks ...Bookmark) []byte {
	return document(forms, nil, sheets, bookmarks)
}

func document(forms []string, files []File, sheets []Sheet, bookmarks []Bookmark) []byte {
	firstMark := firstPage + 2*len(sheets)
	firstForm := firstMark + len(bookmarks)
	firstFile := firstForm + len(forms)
	var names strings.Builder
	for i, f := range files {
		fmt.Fprintf(&names, "(%s)<</Type/Filespec/F(%[1]s)/UF(%[1]s)/EF<</F %d 0 R>>>>", escape(f.Name), firstFile+i)
	}
	var resources strings.Builder
	fmt.Fprintf(&resources, "<</Font<</F1 %d 0 R>>/XObject<<", font)
	for i := range forms {
		fmt.Fprintf(&resources, "/X%d %d 0 R", i, firstForm+i)
	}
	resources.WriteString(">>>>")

	var kids strings.Builder
	for i := range sheets {
		fmt.Fprintf(&kids, "%d 0 R ", firstPage+2*i)
	}
	objects := []string{
		fmt.Sprintf("<</Type/Catalog/Pages %d 0 R/Outlines %d 0 R/Names<</EmbeddedFiles<</Names[%s]>>>>>>", pageTree, outlines, names.String()),
		fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(sheets), kids.String()),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
		outlineRoot(firstMark, len(bookmarks)),
	}
	for i, s := range sheets {
		objects = append(objects, s.page(firstPage+2*i+1, resources.String()), stream("", s.content()))
	}
	for i, b := range bookmarks {
		mark := fmt.Sprintf("<</Title(%s)/Parent %d 0 R/Dest[%d 0 R/Fit]", escape(b.Title), outlines, firstPage+2*(b.Page-1))
		if i+1 < len(bookmarks) {
			mark += fmt.Sprintf("/Next %d 0 R", firstMark+i+1)
		}
		objects = append(objects, mark+">>")
	}
	for _, f := range forms {
		objects = append(objects, stream("/Type/XObject/Subtype/Form/BBox[0 0 10000 10000]/Resources"+resources.String(), f))
	}
	for _, f := range files {
		objects = append(objects, stream("/Type/EmbeddedFile", f.Content))
	}
	return file(objects)
}

func outlineRoot(first, count int) string {
	if count == 0 {
		return "<</Type/Outlines/Count 0>>"
	}
	return fmt.Sprintf("<</Type/Outlines/First %d 0 R/Last %d 0 R/Count %d>>", first, first+count-1, count)
}

func (s Sheet) size() (width, height float64) {
	if s.Width == 0 || s.Height == 0 {
		return 595, 842
	}
	return s.Width, s.Height
}

func (s Sheet) page(content int, resources string) string {
	w, h := s.size()
	var links strings.Builder
	if s.URI != "" {
		fmt.Fprintf(&links, "<</Type/Annot/Subtype/Link/Border[0 0 0]/Rect[0 %g %g %g]/A<</S/URI/URI(%s)>>>>", h/2, w, h, escape(s.URI))
	}
	if s.To != 0 {
		fmt.Fprintf(&links, "<</Type/Annot/Subtype/Link/Border[0 0 0]/Rect[0 0 %g %g]/Dest[%d 0 R/Fit]>>", w, h/2, firstPage+2*(s.To-1))
	}
	for _, l := range s.Links {
		fmt.Fprintf(&links, "<</Type/Annot/Subtype/Link/Border[0 0 0]/Rect[%g %g %g %g]/A<</S/URI/URI(%s)>>>>", l.Left, l.Bottom, l.Right, l.Top, escape(l.URI))
	}
	return fmt.Sprintf("<</Type/Page/Parent %d 0 R/MediaBox[0 0 %g %g]/Resources%s/Contents %d 0 R/Annots[%s]>>", pageTree, w, h, resources, content, links.String())
}

func (s Sheet) content() string {
	_, h := s.size()
	size := h / 40
	var b strings.Builder
	fmt.Fprintf(&b, "BT /F1 %g Tf %g TL %g %g Td\n", size, size*1.2, size, h-2*size)
	for line := range strings.Lines(s.Text) {
		fmt.Fprintf(&b, "(%s) Tj T*\n", escape(strings.TrimSuffix(line, "\n")))
	}
	b.WriteString("ET\n" + s.Content)
	return b.String()
}

func escape(s string) string { return strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(s) }

func stream(entries, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", entries, len(content), content)
}

// Asking returns a PDF with a title and a page for each text, whose catalog has more entries.
func Asking(catalog, title string, texts ...string) []byte {
	objects := []string{fmt.Sprintf("<</Type/Catalog/Pages %d 0 R%s>>", pageTree, catalog), "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", "<</Title(" + escape(title) + ")>>"}
	kids := ""
	for i, text := range texts {
		kids += fmt.Sprintf("%d 0 R ", firstPage+2*i)
		s := Sheet{Text: text}
		objects = append(objects, s.page(firstPage+2*i+1, fmt.Sprintf("<</Font<</F1 %d 0 R>>>>", font)), stream("", s.content()))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(texts), kids)
	return file(objects, "/Info 4 0 R")
}

// Objects returns a PDF of objects, which are numbered from 1; the first is the catalog.
func Objects(objects ...string) []byte { return file(objects) }

// Stream returns a stream object; entries are those of its dictionary, without Length.
func Stream(entries, content string) string { return stream(entries, content) }

// file numbers the objects from 1; the first is the catalog.
func file(objects []string, trailer ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, strings.Join(trailer, ""), table)
	return b.Bytes()
}
