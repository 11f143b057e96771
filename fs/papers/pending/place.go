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

	"paperfs/cache/document"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/remote"
)

// Place is where a PDF is sent.
type Place struct {
	Name    string           // path from the mount's root, as the program named it
	Path    string           // the same for drafts and failed/, but source.pdf instead of another name
	Paper   int64            // 0: it may have to be created
	At      names.Entry      // entry of a PDF beside a paper
	New     bool             // there was no paper: a PDF of a paper that others create is not replaced
	Other   string           // name of a PDF in a paper's directory if it is not source.pdf
	Exists  bool             // the name exists
	Edition document.Edition // what the paper has that the PDF may replace
	// Send sends a PDF, and creates the paper if there is none. It returns the SHA-256 of
	// the sent content. over is as Edition.
	Send func(ctx context.Context, paper int64, over document.Edition, pdf remote.Content, written time.Time, making CreateHooks) (sha256 string, err error)
	// Notify makes the kernel drop what it knows about a paper that was created; notified
	// waits for that. nil: not needed.
	Notify func() (notified func(context.Context))
}

// CreateHooks are called when sending a PDF creates a paper.
type CreateHooks struct {
	MayHave func(may bool) error    // records whether an attempt may have created it; nil: not recorded
	Created func(paper int64) error // called before the PDF is sent
}

// check rejects content that is not a PDF before a paper is created for it. If the paper
// exists, the service judges the content.
func (to *Place) check(pdf remote.Content) error {
	if to.At == (names.Entry{}) {
		return nil
	}
	return CheckPDF(pdf)
}

// deletedReason explains why a queued PDF is not sent whose paper was deleted, or the category in which it
// would have made one.
func (to *Place) deletedReason(made bool) string {
	if !made {
		return fmt.Sprintf("the category %s was deleted on the service while this PDF was queued. Move the PDF from .paperfs/failed to another category",
			filepath.Dir(to.besideName()))
	}
	return fmt.Sprintf("the paper was deleted on the service while this PDF was queued. To create a new one, move the PDF from .paperfs/failed to %s", to.besideName())
}

// besideName returns the path of the PDF beside the paper, from the mount's root.
func (to *Place) besideName() string {
	if paper, ok := strings.CutSuffix(filepath.Dir(to.Path), names.Suffix); ok {
		return strings.TrimPrefix(paper, "/") + names.PDFEndings[0]
	}
	return strings.TrimPrefix(to.Path, "/")
}

// pdfHead is the number of leading bytes in which a PDF must identify itself.
const pdfHead = 1024

// CheckPDF rejects content whose first bytes are not those of a PDF.
func CheckPDF(pdf remote.Content) error {
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
