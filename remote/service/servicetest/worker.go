package servicetest

import (
	"os"
	"path/filepath"

	"paperfs/remote/service/pdf"
)

// The service processes PDFs in a subprocess of the same program, which in tests is the test
// program.
func init() { pdf.RunIfWorker() }

// pdfCache is below the user's cache directory. It is determined early because tests change the
// environment later.
var pdfCache = func() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "paperfs-test-pdf")
}()

// PDFCache returns a directory for compiled code that all tests of a user share: compiling it
// takes seconds.
func PDFCache() string { return pdfCache }
