package pdf

import (
	"fmt"
	"slices"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"paperfs/remote/service/pdf/object"
)

// hiddenMark marks a layer that is off. PDFium does not draw what it has, but would read its text.
const hiddenMark = "PaperfsHidden"

// hideLayers adds the changes that mark the layers that are off, and empty what of them PDFium does not tell from
// other content.
func (d *document) hideLayers(changes map[object.Ref]string) {
	f := d.objects
	properties := f.Dict(f.Dict(f.Root)["OCProperties"])
	if properties == nil {
		return
	}
	l := layers{f, f.Dict(properties["D"])}
	for ref, dict := range f.All {
		if kind := dict["Type"]; (kind == object.Name("OCG") || kind == object.Name("OCMD")) && !l.shown(ref, 0) {
			changes[ref] = f.With(ref, "/"+hiddenMark+" 1")
			d.layered = true
		}
	}
	if !d.layered {
		return
	}
	for ref, dict := range f.All {
		if part, has := dict["OC"]; has && !l.shown(part, 0) {
			if dict["Subtype"] == object.Name("Form") {
				changes[ref] = "<</Type/XObject/Subtype/Form/BBox[0 0 0 0]/Length 0>>stream\n\nendstream"
			} else if _, annotation := dict["Rect"]; annotation {
				changes[ref] = f.With(ref, fmt.Sprint("/F ", hidden))
			}
		}
	}
}

// layers says which layers are shown on a screen, as PDFium does when it draws.
type layers struct {
	f      *object.File
	config object.Dict
}

func (l layers) shown(layer any, depth int) bool {
	d := l.f.Dict(layer)
	switch {
	case d == nil || depth > 32:
		return true
	case d["Type"] == object.Name("OCMD"):
		return l.group(d, depth)
	}
	if state := l.f.Dict(l.f.Dict(d["Usage"])["View"])["ViewState"]; state != nil {
		return state != object.Name("OFF")
	}
	shown := l.config["BaseState"] != object.Name("OFF")
	if slices.Contains(l.f.Array(l.config["ON"]), layer) {
		shown = true
	}
	return shown && !slices.Contains(l.f.Array(l.config["OFF"]), layer)
}

// group evaluates a group of layers.
func (l layers) group(d object.Dict, depth int) bool {
	all := l.f.Array(d["OCGs"])
	if all == nil && d["OCGs"] != nil {
		all = object.Array{d["OCGs"]}
	}
	any := func(shown bool) bool {
		return slices.ContainsFunc(all, func(layer any) bool { return l.shown(layer, depth+1) == shown })
	}
	switch {
	case len(all) == 0:
		return true
	case d["P"] == object.Name("AllOn"):
		return !any(false)
	case d["P"] == object.Name("AllOff"):
		return !any(true)
	case d["P"] == object.Name("AnyOff"):
		return any(false)
	}
	return any(true)
}

// removeHidden removes the objects of a page that are in hidden layers. inHidden finds the text of forms.
func (d *document) removeHidden(page requests.Page) error {
	if !d.layered {
		return nil
	}
	for i := got(d.pdfium.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: page})).Count - 1; i >= 0; i-- {
		o := got(d.pdfium.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: page, Index: i})).PageObject
		if d.isHidden(o) {
			if _, err := d.pdfium.FPDFPage_RemoveObject(&requests.FPDFPage_RemoveObject{Page: page, PageObject: o}); err != nil {
				return err
			}
		}
	}
	return nil
}

// inHidden reports whether a character is in a hidden layer.
func (d *document) inHidden(text references.FPDF_TEXTPAGE, index int) bool {
	return d.layered && d.isHidden(got(d.pdfium.FPDFText_GetTextObject(&requests.FPDFText_GetTextObject{TextPage: text, Index: index})).TextObject)
}

// isHidden reports whether an object is in a hidden layer.
func (d *document) isHidden(o references.FPDF_PAGEOBJECT) bool {
	for i := range got(d.pdfium.FPDFPageObj_CountMarks(&requests.FPDFPageObj_CountMarks{PageObject: o})).Count {
		mark := got(d.pdfium.FPDFPageObj_GetMark(&requests.FPDFPageObj_GetMark{PageObject: o, Index: uint64(i)})).Mark
		if got(d.pdfium.FPDFPageObjMark_GetParamIntValue(&requests.FPDFPageObjMark_GetParamIntValue{PageObjectMark: mark, Key: hiddenMark})).Value == 1 {
			return true
		}
	}
	return false
}
