package pdf

import (
	"encoding/gob"
	"fmt"

	"github.com/klippa-app/go-pdfium/requests"
)

// sendPages reads and sends the pages. It encodes the images of one page while it
// reads the next.
func (d *document) sendPages(from, to int, out *gob.Encoder) error {
	type rendered struct {
		page    Page
		picture *picture
	}
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
	var failed error
	for number := from; number <= to && failed == nil; number++ {
		var r rendered
		if r.page, r.picture, failed = d.page(number, number == from); failed == nil {
			ready <- r
		}
	}
	close(ready)
	if err := <-ended; err != nil {
		return err
	}
	return failed
}

// page reads and renders a page, but does not encode its images.
func (d *document) page(number int, first bool) (Page, *picture, error) {
	p := Page{Number: number}
	loaded, err := d.pdfium.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.doc, Index: number - 1})
	if err != nil {
		return p, nil, failf("Page %d cannot be read: %v.", number, words(err))
	}
	page := requests.Page{ByReference: &loaded.Page}
	defer d.close(page)
	if err := d.read(page, &p); err != nil {
		return p, nil, err
	}
	if d.watermark != nil && (first || !d.watermark.FirstOnly) {
		if err := d.mark(page); err != nil {
			return p, nil, failf("The watermark cannot be put on page %d: %v.", number, words(err))
		}
	}
	image, err := d.render(page, Sizes[0].Longest)
	if err == nil && d.larger {
		var larger *picture
		if larger, err = d.render(page, LargerLongest); err == nil {
			p.Larger = larger.image(largerQuality)
		}
	}
	if err != nil {
		return p, nil, failf("Page %d cannot be rendered: %v.", number, words(err))
	}
	return p, image, nil
}

// read reads a page's links, its text and the positions of its lines. It then frees
// PDFium's memory for the rendering.
func (d *document) read(page requests.Page, p *Page) error {
	links, err := d.pageLinks(page)
	if err != nil {
		links, p.LinkFailure = nil, words(err)
	}
	if d.links += len(links); d.links > d.limits.Links {
		return failf("The pages up to %d have more than %d links, which is the limit.", p.Number, d.limits.Links)
	}
	notes, err := d.drawAnnotations(page)
	if err != nil {
		return failf("The annotations of page %d cannot be drawn: %v.", p.Number, words(err))
	}
	if notes > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("the notes of reviewers (%d) are not shown", notes))
	}
	text, err := d.pdfium.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return failf("The text of page %d cannot be read: %v.", p.Number, words(err))
	}
	defer d.closeText(text.TextPage)
	all, err := d.pageText(text.TextPage)
	if err != nil {
		return failf("The text of page %d cannot be read: %v.", p.Number, words(err))
	}
	lines := d.letters(text.TextPage, all)
	p.Text = textOf(lines)
	grid, err := d.gridOf(page)
	if err != nil {
		return failf("The lines of page %d cannot be read: %v.", p.Number, words(err))
	}
	var letters lettering
	if p.Lines, letters, err = d.pageLines(grid, text.TextPage, lines); err != nil {
		return failf("The lines of page %d cannot be read: %v.", p.Number, words(err))
	}
	if d.text += int64(len(p.Text)); d.text > d.limits.Text {
		return failf("The pages up to %d have more than %d bytes of text, which is the limit.", p.Number, d.limits.Text)
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
