package pdf

import (
	"bytes"
	"io"
)

// farthestHeader is how far from the beginning of a file a PDF may begin.
const farthestHeader = 1 << 20

// lateHeader returns where a PDF begins, if other data is before it; 0 if it is not found. PDFium looks for it in the
// first kilobyte only.
func lateHeader(file io.ReadSeeker) int64 {
	begin := make([]byte, farthestHeader)
	n, _ := readerAt{file}.ReadAt(begin, 0)
	return int64(max(bytes.Index(begin[:n], []byte("%PDF-")), 0))
}

// readerAt reads at offsets of a file that nothing else reads at the same time.
type readerAt struct{ io.ReadSeeker }

func (r readerAt) ReadAt(p []byte, at int64) (int, error) {
	if _, err := r.Seek(at, io.SeekStart); err != nil {
		return 0, err
	}
	return io.ReadFull(r, p)
}
