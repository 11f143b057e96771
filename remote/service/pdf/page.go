package pdf

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/requests"
)

// rendered is a page whose images are not encoded yet.
type rendered struct {
	page    Page
	picture *picture
}

// sendPages reads and sends the pages. It encodes the images of one page while it
// reads the next. A page that cannot be drawn is blank, unless none can.
func (d *document) sendPages(from, to int, out *gob.Encoder) error {
	ready := make(chan rendered)
	ended := make(chan error, 1)
	go func() {
		var failed error
		for r := range ready {
			if failed != nil {
				continue
			}
			r.page.Images = encode(r.picture)
			failed = out.Encode(message{Page: &r.page})
		}
		ended <- failed
	}()
	failed := d.eachPage(from, to, ready)
	close(ready)
	if err := <-ended; err != nil {
		return err
	}
	return failed
}

func (d *document) eachPage(from, to int, ready chan<- rendered) error {
	var last *picture // for the size of blank pages
	var first error   // why the first blank page is blank
	for number := from; number <= to; number++ {
		r, err := d.page(number, number == from)
		var limit *Failure
		switch {
		case errors.As(err, &limit):
			return err
		case err == nil:
			last = r.picture
		default:
			first = cmp.Or(first, error(failf("No page can be drawn: %s.", words(err))))
			if r, err = d.blankPage(number, last, err); err != nil {
				return err
			}
		}
		ready <- r
	}
	if last == nil {
		return first
	}
	return nil
}

// blankPage returns a blank page in place of one that cannot be drawn. PDFium may have given up.
func (d *document) blankPage(number int, last *picture, why error) (rendered, error) {
	if last == nil {
		width, height := fit(595, 842, Sizes[0].Longest)
		last = &picture{width: width, height: height}
	}
	white := &picture{last.width, last.height, 1, bytes.Repeat([]byte{0xff}, last.width*last.height)}
	r := rendered{Page{Number: number, Warnings: []string{"it is blank, because it cannot be drawn: " + words(why)}}, white}
	if gaveUp(why) {
		return r, d.reconnect()
	}
	return r, nil
}

// page reads and renders a page, but does not encode its images. A *Failure ends the job; after any other
// error the next page may be drawn.
func (d *document) page(number int, first bool) (rendered, error) {
	p := Page{Number: number}
	loaded, err := d.pdfium.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.doc, Index: number - 1})
	if err != nil {
		return rendered{}, err
	}
	page := requests.Page{ByReference: &loaded.Page}
	defer d.close(page)
	d.unit = d.userUnit(number)
	if kind, err := d.pdfium.FPDF_GetFormType(&requests.FPDF_GetFormType{Document: d.doc}); first && err == nil && kind.FormType > enums.FPDF_FORMTYPE_ACRO_FORM {
		p.Warnings = append(p.Warnings, "the PDF has a form made with XFA, of which only what it has for other programs is shown; print it to a new PDF")
	}
	if d.damaged[number] {
		p.Warnings = append(p.Warnings, "it is blank, because the PDF has something else in its place")
	}
	if err := d.read(page, &p); err != nil {
		return rendered{}, err
	}
	if d.Job.Watermark != nil && (first || !d.Job.Watermark.FirstOnly) {
		if err := d.mark(page); err != nil {
			return rendered{}, fmt.Errorf("the watermark: %w", err)
		}
	}
	image, err := d.render(page, d.Job.Tile)
	return rendered{p, image}, err
}

// read reads a page's links, its text and the positions of its lines. It then frees
// PDFium's memory for the rendering.
func (d *document) read(page requests.Page, p *Page) error {
	links, err := d.pageLinks(page, p.Number)
	if err != nil {
		links, p.LinkFailure = nil, words(err)
	}
	if d.links += len(links); d.links > d.Limits.Links {
		return failf("The pages up to %d have more than %d links, which is the limit.", p.Number, d.Limits.Links)
	}
	notes, err := d.drawAnnotations(page)
	if err != nil {
		return err
	}
	if err := d.removeHidden(page); err != nil {
		return err
	}
	if notes > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("the notes of reviewers (%d) are not shown", notes))
	}
	text, err := d.pdfium.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return err
	}
	defer d.closeText(text.TextPage)
	all, err := d.pageText(text.TextPage)
	if err != nil {
		return err
	}
	grid, err := d.gridOf(page)
	if err != nil {
		return err
	}
	lines := d.letters(grid, text.TextPage, all)
	p.Text = textOf(lines)
	p.Warnings = append(p.Warnings, d.undrawn(text.TextPage, lines)...)
	var letters lettering
	p.Lines, letters = d.pageLines(grid, lines)
	if d.text += int64(len(p.Text)); d.text > d.Limits.Text {
		return failf("The pages up to %d have more than %d bytes of text, which is the limit.", p.Number, d.Limits.Text)
	}
	p.Links = letters.named(links)
	return nil
}

// close releases a page. An error has no consequence: the process ends with the
// document.
func (d *document) close(page requests.Page) {
	if d.form != nil {
		_, _ = d.pdfium.FORM_OnBeforeClosePage(&requests.FORM_OnBeforeClosePage{Page: page, FormHandle: *d.form})
	}
	_, _ = d.pdfium.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: *page.ByReference})
}
