package pdf

import (
	"strconv"
	"strings"

	"github.com/klippa-app/go-pdfium/requests"

	"paperfs/remote/service/pdf/object"
)

// Wishes are how a PDF asks to be shown where its publisher has set nothing else.
type Wishes struct {
	Title     string   `json:",omitempty"` // in one line; "" if it is only the name of a file
	Language  string   `json:",omitempty"` // the tag of its text's language, as written
	Layout    string   `json:",omitempty"` // of its pages: spread or single
	Paired    bool     `json:",omitempty"` // a spread begins with the first page: that is no cover
	FromRight bool     `json:",omitempty"` // pages follow each other from right to left
	Labels    []string `json:",omitempty"` // what the pages are called; none if they are called by their numbers
}

// labelBytes is the length of the longest label: a longer one is no number.
const labelBytes = 20

// wishes returns what the PDF asks for. Labels are those of some of its pages.
func (d *document) wishes(from, to int) (w Wishes) {
	if d.objects == nil {
		return w
	}
	f := d.objects
	catalog := f.Dict(f.Root)
	title, _ := f.Get(f.Dict(f.Info)["Title"]).(object.String)
	language, _ := f.Get(catalog["Lang"]).(object.String)
	w.Title, w.Language = cleanTitle(string(title)), strings.ReplaceAll(cleanTitle(string(language)), "_", "-")
	if file.MatchString(w.Title) {
		w.Title = ""
	}
	switch f.Get(catalog["PageLayout"]) {
	case object.Name("SinglePage"), object.Name("OneColumn"):
		w.Layout = "single"
	case object.Name("TwoPageLeft"), object.Name("TwoColumnLeft"):
		w.Layout, w.Paired = "spread", true
	case object.Name("TwoPageRight"), object.Name("TwoColumnRight"):
		w.Layout = "spread"
	}
	w.FromRight = f.Get(f.Dict(catalog["ViewerPreferences"])["Direction"]) == object.Name("R2L")
	if catalog["PageLabels"] != nil {
		w.Labels = d.labels(from, to)
	}
	return w
}

func (d *document) labels(from, to int) (labels []string) {
	differ := false
	for number := from; number <= to; number++ {
		label := oneLine(got(d.pdfium.FPDF_GetPageLabel(&requests.FPDF_GetPageLabel{Document: d.doc, Page: number - 1})).Label)
		if len(label) > labelBytes {
			label = ""
		}
		labels = append(labels, label)
		differ = differ || label != "" && label != strconv.Itoa(len(labels))
	}
	if !differ {
		return nil
	}
	return labels
}

// fits reports whether the wishes are within the worker's bounds, for so many pages.
func (w Wishes) fits(pages int) bool {
	for _, label := range w.Labels {
		if len(label) > labelBytes {
			return false
		}
	}
	return (w.Labels == nil || len(w.Labels) == pages) && max(len(w.Title), len(w.Language), len(w.Layout)) <= 2*titleBytes
}
