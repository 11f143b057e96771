package papers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"syscall"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/papers/names"
	"paperfs/remote"
)

// A PDF is a file of the media store, which calls the Tree for what is different: where it is sent, and what a refusal means.

var _ media.Processor = (*Tree)(nil)

// Process implements media.Processor.
func (t *Tree) Process(ctx context.Context, p *media.Sending, pdf remote.Content) (sha256 string, err error) {
	sha256, err = t.process(ctx, p, pdf)
	if err == nil && !p.Removed() {
		t.shown(&p.PDF)
	}
	if p.Queued {
		err = t.final(p, err)
	}
	return sha256, err
}

func (t *Tree) process(ctx context.Context, p *media.Sending, pdf remote.Content) (sha256 string, err error) {
	if p.Dir != 0 {
		err = checkPDF(pdf)
	}
	if err != nil {
		return "", err
	}
	if p.Paper == 0 {
		shown, err := t.create(ctx, p)
		if err != nil {
			return "", err
		}
		defer shown(ctx)
	}
	sent, err := t.Documents.Process(t.under(ctx, p), p.Paper, pdf, p.Written)
	if err = t.Catalogue.Judge(ctx, names.Source, err); errors.Is(err, catalogue.ErrChanged) {
		err = &media.Error{Kind: media.Superseded, Detail: "somebody else has changed the paper on the service since this PDF was begun, so it was not replaced: copy the PDF again to replace the other"}
	}
	return sent.SHA256, err
}

// create creates the paper of a PDF. shown waits until the kernel has dropped what it knows of that name.
func (t *Tree) create(ctx context.Context, p *media.Sending) (shown func(context.Context), err error) {
	paper, err := t.makePaper(ctx, p)
	if errors.Is(err, catalogue.ErrNotFound) { // the tree that a mount begins with may be older than the category
		if _, err = t.Catalogue.FindID(ctx, p.Dir); err == nil {
			paper, err = t.makePaper(ctx, p)
		}
	}
	if err != nil {
		if _, may := t.making.Load(names.Beside(p.Dir, path.Base(p.Path))); may && p.Removed() {
			_ = t.leftPaper(p)
		}
		return nil, err
	}
	shown = func(context.Context) {}
	if c := t.category(p.Dir); c != nil { // otherwise the kernel never looked it up
		name, _ := names.PaperOf(path.Base(p.Path))
		shown = c.notifyChange(name)
	}
	removed, err := p.Made(paper)
	if removed {
		t.hiddenBeside.set(paper, true)
		err = t.leftPaper(p)
	}
	t.making.Delete(names.Beside(p.Dir, path.Base(p.Path)))
	return shown, err
}

// leftPaper reports a paper that may be left on the service without a PDF, because
// the name was removed while the paper was being created: the mount deletes a paper only
// on request.
func (t *Tree) leftPaper(p *media.Sending) error {
	name := strings.TrimPrefix(p.Path, "/")
	err := errno.Refuse(syscall.EBUSY, fmt.Sprintf(
		"this PDF was removed while its paper was being created: %s%s may be on the service, without pages. Put a PDF there or, to delete it, run rmdir in a mount with --allow-delete",
		strings.TrimSuffix(name, path.Ext(name)), names.Suffix))
	t.Tell.Failed("remove", name, 0, err)
	return err
}

// pdfHead is the number of leading bytes in which a PDF must identify itself.
const pdfHead = 1024

// checkPDF rejects content whose first bytes are not those of a PDF, before a paper is created for it. That of a source.pdf
// the service judges.
func checkPDF(pdf remote.Content) error {
	r, err := pdf.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	head, err := io.ReadAll(io.LimitReader(r, pdfHead))
	if err == nil && !bytes.Contains(head, []byte("%PDF-")) {
		err = errno.Refuse(syscall.EINVAL, "this is not a PDF (no %PDF- in the first 1024 bytes), and only a PDF can create a paper")
	}
	return err
}

// uncheckedWait is how long a PDF may be queued before an attempt checks the
// paper's pages first. briefOutage is the same for the attempt after a server error.
const (
	uncheckedWait = 30 * time.Second
	briefOutage   = 3 * time.Second
)

// under returns the context in which a PDF is sent: it may replace only the edition over which it was begun. Otherwise a PDF of others
// would be lost, because the service does not return PDFs. If the edition of a queued PDF is not known, an attempt that does not come
// right after its close checks the pages. Once an attempt may have reached the
// service, the pages may be those of this PDF, so the check no longer proves anything
// about others.
func (t *Tree) under(ctx context.Context, p *media.Sending) context.Context {
	number, is := strings.CutPrefix(p.Seen, media.SeenEdition)
	queuedAt := p.QueuedAt
	if queuedAt.IsZero() {
		queuedAt = t.began
	}
	switch {
	case !p.Queued:
		return document.Over(ctx, document.Edition{Number: p.Over, Since: p.Since})
	case is:
		edition, _ := strconv.ParseInt(number, 10, 64)
		return document.Over(ctx, document.Edition{Number: remote.Version(edition), Since: queuedAt})
	case p.Seen == "":
		return ctx
	}
	most := uncheckedWait
	if e, failed := errors.AsType[*remote.Error](p.Last); failed && e.Kind == remote.Status && e.Status >= 500 {
		most = briefOutage
	} else if p.Last != nil || p.QueuedAt.IsZero() {
		most = 0
	}
	return document.IfUnchanged(ctx, p.Seen, func() bool { return time.Since(queuedAt).Abs() > most })
}

// Queueing implements media.Processor.
func (t *Tree) Queueing(pdf *media.PDF, content remote.Content) error {
	if pdf.Dir != 0 {
		if err := checkPDF(content); err != nil {
			return err
		}
	}
	if pdf.Paper == 0 {
		_, may := t.making.Load(names.Beside(pdf.Dir, path.Base(pdf.Path)))
		pdf.Making = pdf.Making || may
		return nil
	}
	t.shown(pdf)
	if pdf.Seen = t.Documents.PagesToken(pdf.Paper); pdf.Over != 0 && t.Documents.SameEdition(pdf.Paper, pdf.Since) {
		pdf.Seen = media.SeenEdition + strconv.FormatInt(int64(pdf.Over), 10)
	}
	return nil
}

// final returns the error of a queued PDF. One that this side rejects is not retried.
func (t *Tree) final(p *media.Sending, err error) error {
	if errors.Is(err, document.ErrPagesChanged) {
		return &media.Error{Kind: media.Exists, Detail: "the pages of the paper have changed since this PDF was queued: somebody else has put a PDF there. Copy the PDF again to replace that one"}
	}
	if e, refused := errors.AsType[*remote.Error](err); refused && e.Kind == remote.Refused && e.Code == remote.PaperDoesNotExist || errors.Is(err, catalogue.ErrNotFound) {
		return &media.Error{Kind: media.Invalid, Detail: deleted(p)}
	}
	if r, ok := errors.AsType[*errno.Refusal](err); ok {
		return &media.Error{Kind: media.Invalid, Detail: r.Error()}
	}
	return err
}

// deleted explains why a queued PDF is not sent whose paper was deleted, or the category in which it
// would have made one.
func deleted(p *media.Sending) string {
	beside := strings.TrimPrefix(p.Path, "/")
	if paper, in := strings.CutSuffix(path.Dir(beside), names.Suffix); in {
		beside = paper + names.PDFEndings[0]
	}
	if p.Paper == 0 {
		return fmt.Sprintf("the category %s was deleted on the service while this PDF was queued. Move the PDF from .paperfs/failed to another category", path.Dir(beside))
	}
	return fmt.Sprintf("the paper was deleted on the service while this PDF was queued. To create a new one, move the PDF from .paperfs/failed to %s", beside)
}

// SetWritten implements media.Processor.
func (t *Tree) SetWritten(paper int64, at time.Time) error { return t.Documents.SetWritten(paper, at) }

// shown shows the names of a PDF whose paper is known, which programs may have removed before they wrote it.
func (t *Tree) shown(pdf *media.PDF) {
	t.Unhide(pdf.Paper)
	t.making.Delete(names.Beside(pdf.Dir, path.Base(pdf.Path)))
}

// Unhide shows both names of a paper's PDF again, which programs may have removed.
func (t *Tree) Unhide(paper int64) {
	t.hiddenSource.set(paper, false)
	t.hiddenBeside.set(paper, false)
}

// Describe implements mediafs.PDFs.
func (t *Tree) Describe(a media.Attr) inode.Description {
	d := inode.Description{State: inode.Local}
	if a.ID != 0 {
		d = t.About(a.ID).What()
	}
	d.Kind, d.Path = "file", strings.TrimPrefix(a.Path, "/")
	switch {
	case a.Where != media.Published:
		d.State = inode.Pending
	case a.SHA256.Known():
		d.SHA256 = a.SHA256.String()
		if damage := t.Documents.Damage(a.ID); damage != "" {
			d.LastError = noPages + damage
		}
	}
	return d
}
