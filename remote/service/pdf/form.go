package pdf

import (
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"
)

// drawAnnotations prepares the annotations of a page for drawing, once its links are read. It removes what only
// an editor shows: the notes of reviewers, which it counts, and buttons without an appearance, for which PDFium
// would put their caption over the page. Fields of forms and free text then become content of the page, so that
// their text is part of the page's text. PDFium draws other annotations itself.
func (d *document) drawAnnotations(page requests.Page) (notes int, err error) {
	count, err := d.pdfium.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: page})
	if err != nil {
		return 0, err
	}
	fields := false
	for i := count.Count - 1; i >= 0; i-- {
		kind, err := d.annotationKind(page, i)
		if err != nil {
			return notes, err
		}
		switch kind {
		case noteKind:
			notes++
			fallthrough
		case hiddenKind:
			if _, err := d.pdfium.FPDFPage_RemoveAnnot(&requests.FPDFPage_RemoveAnnot{Page: page, Index: i}); err != nil {
				return notes, err
			}
		case fieldKind:
			fields = true
		}
	}
	if !fields {
		return notes, nil
	}
	return notes, d.flatten(page)
}

// Kinds of annotations.
const (
	otherKind = iota
	noteKind
	hiddenKind
	fieldKind
)

func (d *document) annotationKind(page requests.Page, index int) (kind int, err error) {
	annotation := got(d.pdfium.FPDFPage_GetAnnot(&requests.FPDFPage_GetAnnot{Page: page, Index: index})).Annotation
	defer func() {
		_, _ = d.pdfium.FPDFPage_CloseAnnot(&requests.FPDFPage_CloseAnnot{Annotation: annotation})
	}()
	switch got(d.pdfium.FPDFAnnot_GetSubtype(&requests.FPDFAnnot_GetSubtype{Annotation: annotation})).Subtype {
	case enums.FPDF_ANNOT_SUBTYPE_TEXT:
		return noteKind, nil
	case enums.FPDF_ANNOT_SUBTYPE_POPUP:
		return hiddenKind, nil
	case enums.FPDF_ANNOT_SUBTYPE_WIDGET, enums.FPDF_ANNOT_SUBTYPE_FREETEXT:
	default:
		return otherKind, nil
	}
	if d.form == nil {
		made, err := d.pdfium.FPDFDOC_InitFormFillEnvironment(&requests.FPDFDOC_InitFormFillEnvironment{Document: d.doc, FormFillInfo: silent})
		if err != nil {
			return otherKind, err
		}
		d.form = &made.FormHandle
	}
	switch {
	case got(d.pdfium.FPDFAnnot_HasKey(&requests.FPDFAnnot_HasKey{Annotation: annotation, Key: "AP"})).HasKey:
		// As a stamp it keeps its appearance. With NeedAppearances, PDFium would draw a field anew.
		_, err = d.pdfium.FPDFAnnot_SetStringValue(&requests.FPDFAnnot_SetStringValue{Annotation: annotation, Key: "Subtype", Value: "Stamp"})
	case got(d.pdfium.FPDFAnnot_GetFormFieldType(&requests.FPDFAnnot_GetFormFieldType{FormHandle: *d.form, Annotation: annotation})).FormFieldType == enums.FPDF_FORMFIELD_TYPE_PUSHBUTTON:
		return hiddenKind, nil
	}
	return fieldKind, err
}

// flatten makes the annotations of a page its content. The form environment draws those that have no appearance.
func (d *document) flatten(page requests.Page) error {
	if _, err := d.pdfium.FORM_OnAfterLoadPage(&requests.FORM_OnAfterLoadPage{Page: page, FormHandle: *d.form}); err != nil {
		return err
	}
	_, err := d.pdfium.FPDFPage_Flatten(&requests.FPDFPage_Flatten{Page: page})
	return err
}

// silent is a form environment in which nothing happens: no script runs, and no action has an effect.
var silent = structs.FPDF_FORMFILLINFO{
	FFI_Invalidate:         func(references.FPDF_PAGE, float64, float64, float64, float64) {},
	FFI_SetCursor:          func(enums.FXCT) {},
	FFI_SetTimer:           func(int, func(int)) int { return 0 },
	FFI_KillTimer:          func(int) {},
	FFI_GetLocalTime:       func() structs.FPDF_SYSTEMTIME { return structs.FPDF_SYSTEMTIME{} },
	FFI_GetPage:            func(references.FPDF_DOCUMENT, int) *references.FPDF_PAGE { return nil },
	FFI_GetRotation:        func(references.FPDF_PAGE) enums.FPDF_PAGE_ROTATION { return 0 },
	FFI_ExecuteNamedAction: func(string) {},
}
