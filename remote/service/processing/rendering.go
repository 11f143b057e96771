package processing

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/property"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/store"
)

// rendering is a pdf.Sink that collects the new pages and links of a paper. It writes
// images to the disk as they come.
type rendering struct {
	options  Options
	images   store.Draft
	written  int64 // bytes of images, and before them of a made
	total    int
	progress func(page, pages int)
	between  func() error  // called after each page
	began    time.Time     // when the worker began
	yielded  time.Duration // since then, to the PDFs of others

	pages       []store.Page
	links       []store.Link
	linkFailure bool // a page whose links cannot be read is among the problems
	wishes      pdf.Wishes
	enrichment  enrichment
	warnings    problems // what of the pages is not as their publisher sees it
}

// Begin implements pdf.Sink.
func (r *rendering) Begin(pages int, tables []pdf.Attachment, tableFailure string) error {
	r.total = pages
	r.enrichment.addAttached(tables, tableFailure)
	return r.begin()
}

// Page implements pdf.Sink.
func (r *rendering) Page(p pdf.Page) error {
	page := store.Page{Number: len(r.pages) + 1, Text: p.Text, Layer: reader.Layer(p.Lines)}
	for i, image := range p.Images {
		if _, err := r.images.Write(image.JPEG); err != nil {
			return err
		}
		size := int64(len(image.JPEG))
		page.Images = append(page.Images, store.Image{Type: address.ImageTypes[i], SizeKB: rules.KB(size),
			Start: r.written, Bytes: size, Width: image.Width, Height: image.Height})
		r.written += size
	}
	r.pages = append(r.pages, page)
	for _, w := range p.Warnings {
		r.warnings.problem("Page %d: %s.", page.Number, w)
	}
	if r.options.ImportLinks {
		r.importLinks(page.Number, p)
	}
	r.progress(len(r.pages), r.total)
	return cmp.Or(r.enrichment.failed, r.between())
}

// used returns for how long the job had its place.
func (r *rendering) used() time.Duration { return time.Since(r.began) - r.yielded }

// importLinks imports the links of a page, and makes links of the products in its text.
func (r *rendering) importLinks(number int, p pdf.Page) {
	if p.LinkFailure != "" && !r.linkFailure {
		r.linkFailure = true
		r.enrichment.problem("The links of page %d cannot be read: %s.", number, p.LinkFailure)
	}
	first := len(r.links)
	for _, l := range p.Links {
		if link, ok := r.link(number, l); ok {
			r.links = append(r.links, link)
		}
	}
	blank := store.Link{Page: number, StyleName: r.options.LinkStyle, ShapeType: "rectangle"}
	r.links = append(r.links, r.enrichment.inText(blank, p.Lines, r.links[first:])...)
}

// End implements pdf.Sink.
func (r *rendering) End(o pdf.Outline, w pdf.Wishes) error {
	r.wishes = w
	if !r.options.ImportBookmarks {
		return nil
	}
	titles := map[int][]string{} // by page; see store.Title
	kept := 0
	for _, b := range o {
		number := r.number(b.Page)
		if number == 0 {
			continue
		}
		r.pages[number-1].PartOfIndex = true
		if b.Title != "" && kept < mostTitles {
			kept++
			titles[number] = append(titles[number], store.TitleLine(min(b.Level, deepestTitle), b.Title, kept))
		}
	}
	for number, lines := range titles {
		r.pages[number-1].Titles = strings.Join(lines, "\n")
	}
	return nil
}

// Bounds of the table of contents: a reader's page has all titles of a paper.
const (
	mostTitles   = 5_000
	deepestTitle = 5 // deeper titles get this level
)

// number returns the number in the paper of a page of the document; 0 if the page is not
// among those taken.
func (r *rendering) number(inDocument int) int {
	n := inDocument - max(1, r.options.From) + 1
	if n < 1 || n > r.total {
		return 0
	}
	return n
}

// link makes a link of the paper. A jump to a page leads to that page within the paper's
// public page.
func (r *rendering) link(page int, l pdf.Link) (store.Link, bool) {
	link := store.Link{Page: page, X: l.X, Y: l.Y, Width: l.Width, Height: l.Height,
		AltText: l.Name, StyleName: r.options.LinkStyle, ShapeType: "rectangle", LinkType: "url", URL: l.URI}
	if l.URI == "" {
		to := r.number(l.Page)
		link.LinkType, link.URL = "page", fmt.Sprintf("#p%d", to)
		return link, to > 0
	}
	if tag, ok := property.ParseProductTag(l.URI); ok {
		return r.enrichment.link(link, tag)
	}
	scheme, ok := rules.Link(l.URI)
	if scheme == "mailto" {
		link.LinkType = "mail"
	}
	return link, ok
}

// merge adds the table of contents and the links that the options preserve from the old
// pages. Old links come first. A link that the new PDF has again is not doubled, and
// keeps its old name.
func (r *rendering) merge(tx store.Reader, paper int64) error {
	if r.options.PreserveIndex {
		if err := r.keepIndex(tx, paper); err != nil {
			return err
		}
	}
	if !r.options.PreserveLinks {
		return nil
	}
	old, err := tx.Links(paper)
	if err != nil {
		return err
	}
	seen := map[store.Link]int{} // index in links, by the link without its name
	var links []store.Link
	for i, l := range append(old, r.links...) {
		if i < len(old) {
			l = r.enrichment.renew(l)
		}
		if l.Page > r.total {
			continue
		}
		name, imported := l.AltText, l.Imported
		l.AltText, l.Imported = "", false
		at, again := seen[l]
		if !again {
			at = len(links)
			seen[l] = at
			l.Imported = imported
			links = append(links, l)
		}
		if links[at].AltText == "" {
			links[at].AltText = name
		}
	}
	r.links = links
	return nil
}

// keepIndex keeps the old table of contents, if there is one.
func (r *rendering) keepIndex(tx store.Reader, paper int64) error {
	index := map[int]bool{}
	err := tx.Pages(paper, false, func(p store.Page) error {
		if p.PartOfIndex {
			index[p.Number] = true
		}
		return nil
	})
	if err != nil || len(index) == 0 {
		return err
	}
	titles, err := tx.Titles(paper)
	for i := range r.pages {
		r.pages[i].PartOfIndex, r.pages[i].Titles = index[i+1], ""
	}
	for _, t := range titles {
		if t.Page <= len(r.pages) {
			r.pages[t.Page-1].Titles = t.Lines
		}
	}
	return err
}
