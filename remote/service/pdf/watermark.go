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
	m := d.Job.Watermark
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
	place, err := d.corner(page)
	if err != nil {
		return err
	}
	if _, err := d.pdfium.FPDFPageObj_Transform(&requests.FPDFPageObj_Transform{PageObject: text, Transform: place}); err != nil {
		return err
	}
	_, err = d.pdfium.FPDFPage_InsertObject(&requests.FPDFPage_InsertObject{Page: page, PageObject: text})
	return err
}

// corner returns how text at the origin gets to the bottom left of the displayed page, upright and in points
// of that page.
func (d *document) corner(page requests.Page) (structs.FPDF_FS_MATRIX, error) {
	grid, err := d.gridOf(page)
	if err != nil {
		return structs.FPDF_FS_MATRIX{}, err
	}
	width, height, err := d.points(page)
	if err != nil {
		return structs.FPDF_FS_MATRIX{}, err
	}
	// The page's point of a displayed one: the inverse of the grid's mapping.
	det := grid.xx*grid.yy - grid.xy*grid.yx
	at := func(x, y float64) (float64, float64) {
		x, y = x/width, -y/height
		return (grid.yy*x - grid.xy*y) / det, (grid.xx*y - grid.yx*x) / det
	}
	a, b := at(1, 0)
	c, e := at(0, 1)
	left, bottom := at(margin-grid.x*width, margin-(1-grid.y)*height)
	return structs.FPDF_FS_MATRIX{A: float32(a), B: float32(b), C: float32(c), D: float32(e), E: float32(left), F: float32(bottom)}, nil
}
