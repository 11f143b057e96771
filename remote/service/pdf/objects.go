package pdf

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/klippa-app/go-pdfium/requests"

	"paperfs/remote/service/pdf/object"
)

// lookInside reads the objects of the document, for what PDFium does not say. Without them, the document is
// processed as PDFium sees it.
func (d *document) lookInside() error {
	from, to := io.Pipe()
	read := make(chan *object.File, 1)
	go func() {
		f, err := object.Read(from)
		if err != nil {
			f = nil
		}
		_, _ = io.Copy(io.Discard, from)
		read <- f
	}()
	_, err := d.pdfium.FPDF_SaveAsCopy(&requests.FPDF_SaveAsCopy{Document: d.doc, Flags: requests.SaveFlagRemoveSecurity, FileWriter: to})
	to.CloseWithError(err)
	d.objects = <-read
	return err
}

// rewrite puts a copy with other objects in place of the file. It is in a file without a name.
func (d *document) rewrite(changes map[object.Ref]string) error {
	file, err := os.CreateTemp("", "paperfs-*.pdf")
	if err != nil {
		return err
	}
	_ = os.Remove(file.Name())
	if _, err := d.pdfium.FPDF_SaveAsCopy(&requests.FPDF_SaveAsCopy{Document: d.doc, Flags: requests.SaveFlagRemoveSecurity, FileWriter: file}); err != nil {
		return err
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	end := make([]byte, 64) // says where the table of objects is
	if _, err := file.ReadAt(end, max(0, size-64)); err != nil {
		return err
	}
	var table int
	_, after, _ := bytes.Cut(end, []byte("startxref"))
	_, _ = fmt.Fscan(bytes.NewReader(after), &table)
	_, err = file.Write(update(int(size), table, changes, d.objects.Root, d.objects.Last))
	d.file = file
	return err
}

// update returns what is added to a PDF of so many bytes, with its table of objects at an offset.
func update(size, table int, changes map[object.Ref]string, root, last object.Ref) []byte {
	var b, offsets bytes.Buffer
	for _, ref := range slices.Sorted(maps.Keys(changes)) {
		fmt.Fprintf(&offsets, "%d 1\n%010d 00000 n \n", int(ref), size+b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", int(ref), changes[ref])
		last = max(last, ref)
	}
	start := size + b.Len()
	fmt.Fprintf(&b, "xref\n%strailer\n<</Size %d/Root %d 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n", offsets.String(), int(last)+1, int(root), table, start)
	return b.Bytes()
}
