package reader

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// serveDownload serves the PDF of a paper if the setting iconPdf allows it and the client
// may see the paper now. It is the uploaded file: all pages, without a watermark.
func (s *Reader) serveDownload(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger) {
	d := &download{Reader: s, r: r}
	content, err := d.open(path)
	if err != nil {
		notServed(w, r, err, log, "PDF not served", "The PDF cannot be read now.")
		return
	}
	defer content.Close()
	if !answer.MayRead(w, r, true) {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/pdf")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": d.name + ".pdf"}))
	h.Set("Content-Security-Policy", "sandbox")
	h.Set("Cache-Control", "no-cache") // the paper may be withdrawn
	if d.preview {
		h.Set("Cache-Control", "private, no-store")
	}
	h.Set("ETag", fmt.Sprintf(`"%d-pdf"`, d.edition))
	ServeFile(w, r, content)
}

type download struct {
	*Reader
	r         *http.Request
	name      string
	preview   bool
	edition   int64
	rendition store.Rendition
}

// open opens the PDF. If it is replaced between lookup and opening, open looks it up again.
func (d *download) open(path string) (io.ReadSeekCloser, error) {
	for {
		before := d.rendition.PDF
		err := d.Store.Read(d.r.Context(), func(tx store.Reader) error { return d.find(tx, path) })
		if err != nil {
			return nil, err
		}
		content, err := d.Contents.Open(d.r.Context(), d.rendition.PDF, 0, d.rendition.PDFSize)
		if store.IsNotFound(err) && d.rendition.PDF != before {
			continue
		}
		return content, store.Lost(err)
	}
}

func (d *download) find(tx store.Reader, path string) error {
	_, node, err := address.NodeAt(tx, d.r.Host, path)
	if err != nil {
		return err
	}
	if node.Kind != remote.PaperNode {
		return store.ErrNotFound
	}
	d.name = node.Name
	if _, d.preview, err = d.mayOpen(tx, d.r, node); err != nil {
		return err
	}
	conf := &settings{tx: tx, node: node.ID}
	if !conf.flag("iconPdf") {
		return cmp.Or(conf.err, store.ErrNotFound)
	}
	if d.rendition, err = tx.Rendition(node.ID); err != nil {
		return err
	}
	d.edition, err = tx.Edition(node.ID)
	return err
}
