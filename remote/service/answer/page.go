package answer

import (
	"slices"
	"strconv"

	"paperfs/remote/service/store"
)

// PageForm is what GetPaperStructure writes of a page.
type PageForm struct {
	Text       bool                                       // the indexed text
	ImageTypes []string                                   // that images are numbered by, from 1; nil for their names
	Image      func(page int64, image store.Image) string // the address of an image
}

// Page writes a page of a paper.
func (f PageForm) Page(w *Writer, p store.Page) {
	w.Open("page", Int("id", p.ID), Int("number", int64(p.Number)), TrueFalse("part-of-index", p.PartOfIndex))
	if f.Text {
		w.Text("text", p.Text)
	}
	w.Open("images")
	for _, i := range p.Images {
		kind := i.Type
		if f.ImageTypes != nil {
			kind = strconv.Itoa(slices.Index(f.ImageTypes, i.Type) + 1)
		}
		w.Empty("image", Int("file-size", i.SizeKB), String("type", kind), String("url", f.Image(p.ID, i)))
	}
	w.Close("images")
	w.Close("page")
}
