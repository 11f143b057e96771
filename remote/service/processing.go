package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/product"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// process has a PDF taken apart and puts its pages in place of those that the
// paper has. Readers see the old ones or the new ones.
func (q *queue) process(ctx context.Context, w store.Work) error {
	var options processOptions
	if err := json.Unmarshal([]byte(w.Options), &options); err != nil {
		return fmt.Errorf("the options of the job: %w", err)
	}
	images, err := q.service.contents.Create(ctx)
	if err != nil {
		return err
	}
	defer images.Discard()
	r := &rendering{images: images, options: options, progress: func(percent int) { q.setProgress(w.GUID, percent) }}
	// What is read from elsewhere may take longer than a lease.
	kept, end := q.keep(ctx, w)
	err = q.render(kept, w, r)
	if err := errors.Join(err, end()); err != nil {
		return err
	}
	key, err := images.Commit()
	if err != nil {
		return err
	}
	return q.complete(w, r, key)
}

// render has a worker take the PDF of a job apart.
func (q *queue) render(ctx context.Context, w store.Work, r *rendering) error {
	file, err := q.service.openFile(ctx, w.PDF, w.PDFSize)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := q.openTable(ctx, w, r.options.LinkTable, &r.enrichment); err != nil {
		return err
	}
	o := &r.options
	job := pdf.Job{Tables: o.ImportLinks, Password: o.Password, From: o.From, To: o.To, Watermark: o.Watermark}
	began := time.Now()
	err = q.processor.Process(ctx, job, file, r)
	return errors.Join(err, q.spend(w, time.Since(began)))
}

// spend counts what a worker spent on a job, whatever it came to, before anybody
// can see that the job is over.
func (q *queue) spend(w store.Work, d time.Duration) error {
	err := q.store.Write(context.Background(), w.Tenant, func(tx store.Writer) error { return tx.AddPDFTime(w.Tenant, q.service.now(), d) })
	return store.IgnoreNotFound(err) // its tenant was removed
}

// mayBegin checks again what was checked when the job was queued: many may have
// been queued before the first was over. Its refusal is a *fault.
func (q *queue) mayBegin(w store.Work) error {
	return q.store.Read(context.Background(), func(tx store.Reader) error {
		t, err := tx.Tenant(w.Tenant)
		if err != nil {
			return err
		}
		return q.service.pdfRoom(tx, t)
	})
}

// openFile opens content as a file of the system.
func (s *Service) openFile(ctx context.Context, key string, size int64) (*os.File, error) {
	content, err := s.contents.Open(ctx, key, 0, size)
	if err != nil {
		return nil, err
	}
	if file, ok := content.(*os.File); ok {
		return file, nil
	}
	defer content.Close()
	file, err := os.CreateTemp(s.options.Data, "paperfs-*.pdf")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // it lives as long as it is open
	if _, err := io.Copy(file, content); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// complete is the one change that makes a rendering the paper's.
func (q *queue) complete(w store.Work, r *rendering, images string) error {
	w.Status, w.Progress = remote.JobCompleted, 100
	if reason := r.enrichment.reason(); reason != "" {
		w.Status, w.Reason = remote.JobEnrichmentFailed, reason
	}
	err := q.store.Write(context.Background(), w.Tenant, func(tx store.Writer) error {
		if err := q.endWork(tx, w); err != nil {
			return err
		}
		old, err := tx.Rendition(w.Paper)
		if err != nil && !store.IsNotFound(err) {
			return err
		}
		if err := r.merge(tx, w.Paper); err != nil {
			return err
		}
		if err := q.put(tx, w, r, images); err != nil {
			return err
		}
		if old.PDF != w.PDF {
			if err := tx.DropContent(old.PDF); err != nil {
				return err
			}
		}
		return tx.DropContent(old.Images)
	})
	if errors.Is(err, errJobGone) {
		q.service.drop(w.Tenant, images)
		return err
	}
	if err != nil {
		// The images stay: should the change be on the disk in spite of the error,
		// they are needed; else the next start sweeps them.
		return err
	}
	q.service.log.Info("PDF processed", "job", w.GUID, "paper", w.Paper, "pages", len(r.pages), "links", len(r.links), "status", w.Status)
	return nil
}

// put puts a rendering in place, and says so in its job.
func (q *queue) put(tx store.Writer, w store.Work, r *rendering, images string) error {
	if err := tx.ReplacePages(w.Paper, r.pages); err != nil {
		return err
	}
	if err := tx.ReplaceLinks(w.Paper, r.links); err != nil {
		return err
	}
	if err := tx.KeepContent(images); err != nil {
		return err
	}
	if err := tx.SetRendition(w.Paper, store.Rendition{PDF: w.PDF, PDFSize: w.PDFSize, Images: images}); err != nil {
		return err
	}
	processed := store.Processing{At: q.service.now().UTC().Truncate(time.Second), PDFKB: value.KB(w.PDFSize)}
	if err := tx.SetProcessing(w.Paper, processed); err != nil {
		return err
	}
	return tx.PutJob(w.Job)
}

// rendering is a pdf.Sink that collects what becomes the paper's. Images go to
// the disk as they come.
type rendering struct {
	options  processOptions
	images   store.Draft
	written  int64 // bytes of images
	total    int
	progress func(percent int)

	pages       []store.Page
	links       []store.Link
	linkFailure bool // is among the problems
	enrichment  enrichment
}

// Begin implements pdf.Sink.
func (r *rendering) Begin(pages int, tables []pdf.Attachment, tableFailure string) error {
	r.total = pages
	r.enrichment.addAttached(tables, tableFailure)
	return nil
}

// Page implements pdf.Sink.
func (r *rendering) Page(p pdf.Page) error {
	page := store.Page{Number: len(r.pages) + 1, Text: p.Text, Layer: reader.Layer(p.Lines)}
	for i, image := range p.Images {
		if _, err := r.images.Write(image.JPEG); err != nil {
			return err
		}
		size := int64(len(image.JPEG))
		page.Images = append(page.Images, store.Image{Type: address.ImageTypes[i], SizeKB: value.KB(size),
			Start: r.written, Bytes: size, Width: image.Width, Height: image.Height})
		r.written += size
	}
	r.pages = append(r.pages, page)
	if r.options.ImportLinks {
		r.importLinks(page.Number, p)
	}
	r.progress(min(99, 100*len(r.pages)/max(1, r.total)))
	return nil
}

// importLinks makes links of those of a page, and of the products in its text.
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

// Outline implements pdf.Sink.
func (r *rendering) Outline(o pdf.Outline) error {
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
			titles[number] = append(titles[number], strings.Repeat("\t", min(b.Level, deepestTitle))+b.Title)
		}
	}
	for number, lines := range titles {
		r.pages[number-1].Titles = strings.Join(lines, "\n")
	}
	return nil
}

// Readers get all titles of a paper at once.
const (
	mostTitles   = 5_000
	deepestTitle = 5 // levels that are told apart
)

// number is that of a page of the document in the paper, 0 where it is not
// among the pages taken.
func (r *rendering) number(inDocument int) int {
	n := inDocument - max(1, r.options.From) + 1
	if n < 1 || n > r.total {
		return 0
	}
	return n
}

// link makes a link of the paper. A jump to a page leads to its place in the
// paper's public page.
func (r *rendering) link(page int, l pdf.Link) (store.Link, bool) {
	link := store.Link{Page: page, X: l.X, Y: l.Y, Width: l.Width, Height: l.Height,
		AltText: l.Name, StyleName: r.options.LinkStyle, ShapeType: "rectangle", LinkType: "url", URL: l.URI}
	if l.URI == "" {
		to := r.number(l.Page)
		link.LinkType, link.URL = "page", fmt.Sprintf("#p%d", to)
		return link, to > 0
	}
	if tag, ok := product.ParseTag(l.URI); ok {
		return r.enrichment.link(link, tag)
	}
	scheme, ok := value.Link(l.URI)
	if scheme == "mailto" {
		link.LinkType = "mail"
	}
	return link, ok
}

// merge keeps what the options say of the pages and links that are replaced.
// Kept links come first; one that the PDF has again stays one, and keeps its name.
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
	seen := map[store.Link]int{} // places in links, by the link without its name
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

// keepIndex keeps the table of contents where there is one.
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
