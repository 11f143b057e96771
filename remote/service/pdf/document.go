package pdf

import (
	"errors"
	"fmt"
	"io"
	"os"

	pdfium "github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"paperfs/remote/service/pdf/fonts"
	"paperfs/remote/service/pdf/object"
)

// wasmPage is the unit of WebAssembly memory.
const wasmPage = 64 << 10

// document is an open PDF. PDFium is not safe for concurrent use, and neither
// is a document.
type document struct {
	order
	file   io.ReadSeeker
	pool   pdfium.Pool
	pdfium pdfium.Pdfium
	doc    references.FPDF_DOCUMENT
	pages  int
	form   *references.FPDF_FORMHANDLE // nil before the first field of a form

	objects *object.File          // nil if they cannot be read
	tree    []object.Ref          // the pages, if objects are read
	names   map[object.String]any // named destinations, once one was asked for
	damaged map[int]bool          // pages of which there is nothing
	layered bool                  // some layers are hidden
	unit    float64               // of the page that is open, in points

	// Totals of the pages so far.
	text  int64 // bytes
	links int
	lines int
}

// open starts PDFium, calls running and opens the file.
func open(o order, file io.ReadSeeker, running func() error) (*document, error) {
	d := &document{order: o, file: file, damaged: map[int]bool{}}
	if err := d.connect(); err != nil {
		return nil, err
	}
	if err := running(); err != nil {
		return nil, err
	}
	if err := d.load(); err != nil {
		return nil, err
	}
	if err := d.mend(); err != nil {
		return nil, err
	}
	count, err := d.pdfium.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: d.doc})
	if err != nil {
		return nil, failf("The pages cannot be counted: %v.", words(err))
	}
	d.pages = count.PageCount
	if d.pages < 1 {
		return nil, failf("The PDF has no pages.")
	}
	return d, nil
}

// connect starts PDFium.
func (d *document) connect() (err error) {
	if d.pool, err = start(d.order); err == nil {
		d.pdfium, err = d.pool.GetInstance(d.Limits.Total)
	}
	if err != nil {
		return fmt.Errorf("start PDFium: %w", err)
	}
	return nil
}

// reconnect starts PDFium anew, after it gave up.
func (d *document) reconnect() error {
	_ = d.pool.Close()
	d.form = nil
	if err := d.connect(); err != nil {
		return err
	}
	return d.load()
}

// load opens the file.
func (d *document) load() error {
	size, err := d.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	request := &requests.OpenDocument{FileReader: d.file, FileReaderSize: size}
	if d.Job.Password != "" {
		request.Password = &d.Job.Password
	}
	opened, err := d.pdfium.OpenDocument(request)
	if errors.Is(err, pdfiumerrors.ErrFormat) {
		if at := lateHeader(d.file); at > 0 {
			request.FileReader, request.FileReaderSize = io.NewSectionReader(readerAt{d.file}, at, size-at), size-at
			opened, err = d.pdfium.OpenDocument(request)
		}
	}
	if err != nil {
		return openFailure(err, d.Job.Password != "")
	}
	d.doc = opened.Document
	return nil
}

// mend opens the document as other readers see it, if PDFium would not.
func (d *document) mend() error {
	if err := d.lookInside(); err != nil {
		return d.reconnect() // perhaps it had too little memory
	}
	if d.objects == nil {
		return nil
	}
	changes := map[object.Ref]string{}
	d.mendTree(changes)
	d.mendCrops(changes)
	d.hideLayers(changes)
	if len(changes) > 0 {
		if err := d.rewrite(changes); err != nil {
			return err
		}
	}
	// PDFium has read all objects for the copy. It needs few at a time.
	if _, err := d.pdfium.FPDF_CloseDocument(&requests.FPDF_CloseDocument{Document: d.doc}); err != nil {
		return err
	}
	return d.load()
}

// start starts PDFium with the cached code of an earlier worker. If the cache cannot be read or
// written (a full disk, a damaged file), start compiles the code again: the cache only saves time.
// The module gets no files but fonts, no standard output and no environment.
func start(o order) (pdfium.Pool, error) {
	runtime := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling). // of the compiled PDFium
		WithMemoryLimitPages(uint32(wasmShare(o.Limits.Memory) / wasmPage))
	if o.Cache != "" {
		if cache, err := wazero.NewCompilationCacheWithDir(o.Cache); err == nil {
			if pool, err := startWith(runtime.WithCompilationCache(cache)); err == nil {
				return pool, nil
			}
		}
	}
	return startWith(runtime)
}

func startWith(runtime wazero.RuntimeConfig) (pdfium.Pool, error) {
	return webassembly.Init(webassembly.Config{MaxTotal: 1, RuntimeConfig: runtime,
		FSConfig: wazero.NewFSConfig().WithFSMount(fonts.FS, "/"), Stdout: io.Discard, Stderr: os.Stderr})
}

// givePassword says where a password is given.
const givePassword = " Give it in xmlOptions (in a mount: in the paper's file pdf-options, or --pdf-options) as <options><password>…</password></options>."

func openFailure(err error, password bool) error {
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword) && password:
		return failf("The password does not open the PDF." + givePassword)
	case errors.Is(err, pdfiumerrors.ErrPassword):
		return failf("The PDF needs a password, and none was given." + givePassword)
	case errors.Is(err, pdfiumerrors.ErrSecurity):
		return failf("The PDF is encrypted in a way that is not supported.")
	case errors.Is(err, pdfiumerrors.ErrFormat), errors.Is(err, pdfiumerrors.ErrFile), errors.Is(err, pdfiumerrors.ErrUnknown):
		return failf("The file cannot be read as a PDF: it is damaged or not complete.")
	}
	return failf("The file cannot be opened as a PDF: %v.", words(err))
}

// pageRange returns the pages that a job processes. If the PDF has more pages than the limit, a
// job can still process a part of it.
func (d *document) pageRange(j Job) (from, to int, err error) {
	all := j.From == 0 && j.To == 0
	switch {
	case all && d.pages > d.Limits.Pages:
		return 0, 0, failf("The PDF has %d pages; the limit is %d. Process a part of it, with the options all-pages, pages-from and pages-to.", d.pages, d.Limits.Pages)
	case all:
		return 1, d.pages, nil
	case j.To > d.pages:
		return 0, 0, failf("The PDF has %d pages; there are no pages %d to %d.", d.pages, j.From, j.To)
	case j.To-j.From >= d.Limits.Pages:
		return 0, 0, failf("Pages %d to %d are more than the limit of %d.", j.From, j.To, d.Limits.Pages)
	}
	return j.From, j.To, nil
}

// wasmShare is the part of the memory limit that PDFium gets. While its memory
// grows, the smaller copies are garbage for a time, so the process may need up
// to four times as much.
func wasmShare(memory int64) int64 { return memory / 4 }
