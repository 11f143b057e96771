package pdf

import (
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
			dict[hiddenMark] = 1.
			changes[ref] = object.Format(dict)
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
				dict["F"] = float64(hidden)
				changes[ref] = object.Format(dict)
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
	if expression := l.f.Array(d["VE"]); expression != nil {
		return l.expression(expression, depth)
	}
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

// expression evaluates And, Or and Not.
func (l layers) expression(e object.Array, depth int) bool {
	if depth > 32 || len(e) < 2 {
		return true
	}
	is := func(part any) bool {
		if nested := l.f.Array(part); nested != nil {
			return l.expression(nested, depth+1)
		}
		return l.shown(part, depth+1)
	}
	switch e[0] {
	case object.Name("Not"):
		return !is(e[1])
	case object.Name("Or"):
		return slices.ContainsFunc(e[1:], is)
	}
	return !slices.ContainsFunc(e[1:], func(part any) bool { return !is(part) })
}

// objectList is the objects of a page or of a form on it.
type objectList struct {
	count  func() (int, error)
	get    func(i int) (references.FPDF_PAGEOBJECT, error)
	remove func(references.FPDF_PAGEOBJECT) error
}

// removeHidden removes the objects of a page that are in hidden layers.
func (d *document) removeHidden(page requests.Page) error {
	if !d.layered {
		return nil
	}
	return d.removeFrom(objectList{
		func() (int, error) {
			all, err := d.pdfium.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: page})
			if err != nil {
				return 0, err
			}
			return all.Count, nil
		},
		func(i int) (references.FPDF_PAGEOBJECT, error) {
			got, err := d.pdfium.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: page, Index: i})
			if err != nil {
				return "", err
			}
			return got.PageObject, nil
		},
		func(o references.FPDF_PAGEOBJECT) error {
			_, err := d.pdfium.FPDFPage_RemoveObject(&requests.FPDFPage_RemoveObject{Page: page, PageObject: o})
			return err
		},
	}, 0)
}

func (d *document) removeFrom(list objectList, depth int) error {
	count, err := list.count()
	if err != nil || depth > 32 {
		return err
	}
	for i := count - 1; i >= 0; i-- {
		o, err := list.get(i)
		if err != nil {
			return err
		}
		if d.isHidden(o) {
			err = list.remove(o)
		} else {
			err = d.removeFrom(d.formList(o), depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// formList is the list of a form's objects; that of another object is empty.
func (d *document) formList(form references.FPDF_PAGEOBJECT) objectList {
	return objectList{
		func() (int, error) {
			all, err := d.pdfium.FPDFFormObj_CountObjects(&requests.FPDFFormObj_CountObjects{PageObject: form})
			if err != nil {
				return 0, nil // not a form
			}
			return all.Count, nil
		},
		func(i int) (references.FPDF_PAGEOBJECT, error) {
			got, err := d.pdfium.FPDFFormObj_GetObject(&requests.FPDFFormObj_GetObject{PageObject: form, Index: uint64(i)})
			if err != nil {
				return "", err
			}
			return got.PageObject, nil
		},
		func(o references.FPDF_PAGEOBJECT) error {
			// go-pdfium passes PageObject as the form, and FormObject as the object in it.
			_, err := d.pdfium.FPDFFormObj_RemoveObject(&requests.FPDFFormObj_RemoveObject{PageObject: form, FormObject: o})
			return err
		},
	}
}

// isHidden reports whether an object is in a hidden layer.
func (d *document) isHidden(o references.FPDF_PAGEOBJECT) bool {
	marks, err := d.pdfium.FPDFPageObj_CountMarks(&requests.FPDFPageObj_CountMarks{PageObject: o})
	for i := 0; err == nil && i < marks.Count; i++ {
		mark, failed := d.pdfium.FPDFPageObj_GetMark(&requests.FPDFPageObj_GetMark{PageObject: o, Index: uint64(i)})
		if failed != nil {
			return false
		}
		if _, err := d.pdfium.FPDFPageObjMark_GetParamIntValue(&requests.FPDFPageObjMark_GetParamIntValue{PageObjectMark: mark.Mark, Key: hiddenMark}); err == nil {
			return true
		}
	}
	return false
}
