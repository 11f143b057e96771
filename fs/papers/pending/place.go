package pending

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/remote"
)

// Place is where a PDF is sent to.
type Place struct {
	Name   string      // from the mount's root, as the program named it
	Path   string      // the same for drafts and failed/: source.pdf for a PDF of another name
	Paper  int64       // 0: it may have to be made
	At     names.Entry // of a PDF beside a paper
	New    bool        // there was no paper: one that others make is not replaced
	Other  string      // of a PDF in a paper's directory with another name than source.pdf
	Exists bool        // the name
	// Send sends a PDF, and makes the paper if there is none. It returns the SHA-256 of what was sent.
	Send func(ctx context.Context, paper int64, pdf remote.Content, written time.Time, making CreateHooks) (sha256 string, err error)
	// Tells has the kernel told of a paper that was made; told waits for that. Nil: there is nothing to tell.
	Notify func() (told func(context.Context))
}

// Making is told of a paper that a PDF has made.
type CreateHooks struct {
	MayHave func(may bool) error    // whether an attempt may have made it; nil: nobody asks
	Created func(paper int64) error // before the PDF is sent
}

// check refuses content that is no PDF before a paper is made for it. Where the paper is there, the
// service judges the content.
func (to *Place) check(pdf remote.Content) error {
	if to.At == (names.Entry{}) {
		return nil
	}
	return CheckPDF(pdf)
}

// goneWords say why a queued PDF is not sent whose paper was deleted.
func (to *Place) deletedReason() string {
	return fmt.Sprintf("the paper was deleted at the service while this PDF was queued. To make a new one, move the PDF from .paperfs/failed to %s", to.besideName())
}

// besideName is the name of the PDF beside the paper, from the mount's root.
func (to *Place) besideName() string {
	if paper, ok := strings.CutSuffix(filepath.Dir(to.Path), names.Suffix); ok {
		return strings.TrimPrefix(paper, "/") + names.PDFEndings[0]
	}
	return strings.TrimPrefix(to.Path, "/")
}

// pdfHead is how far from its beginning a PDF may say that it is one, in bytes.
const pdfHead = 1024

// CheckPDF refuses what is no PDF by its first bytes.
func CheckPDF(pdf remote.Content) error {
	r, err := pdf.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	head, err := io.ReadAll(io.LimitReader(r, pdfHead))
	if err == nil && !bytes.Contains(head, []byte("%PDF-")) {
		err = errno.Refuse(syscall.EINVAL, "this is not a PDF (no %PDF- in the first 1024 bytes), and only a PDF can make a paper")
	}
	return err
}
