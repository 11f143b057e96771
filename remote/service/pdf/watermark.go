package pdf

import (
	"math"

	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"
)

// margin is the distance of the watermark from the left and the bottom, in points.
const margin = 20

// mark adds the watermark to a loaded page, for rendering only. It changes neither
// the file nor the text that read has returned.
func (d *document) mark(page requests.Page) error {
	m := d.watermark
	made, err := d.pdfium.FPDFPageObj_NewTextObj(&requests.FPDFPageObj_NewTextObj{Document: d.doc, Font: "Helvetica-Bold", FontSize: float32(m.FontSize)})
	if err != nil {
		return err
	}
	text := made.PageObject
	if _, err := d.pdfium.FPDFText_SetText(&requests.FPDFText_SetText{PageObject: text, Text: m.Text}); err != nil {
		return err
	}
	gray := structs.FPDF_COLOR{R: 96, G: 96, B: 96, A: uint(math.Round(m.Opacity * 255))}
	if _, err := d.pdfium.FPDFPageObj_SetFillColor(&requests.FPDFPageObj_SetFillColor{PageObject: text, FillColor: gray}); err != nil {
		return err
	}
	place := structs.FPDF_FS_MATRIX{A: 1, D: 1, E: margin, F: margin}
	if _, err := d.pdfium.FPDFPageObj_Transform(&requests.FPDFPageObj_Transform{PageObject: text, Transform: place}); err != nil {
		return err
	}
	_, err = d.pdfium.FPDFPage_InsertObject(&requests.FPDFPage_InsertObject{Page: page, PageObject: text})
	return err
}
