package servicetest

import (
	"os"
	"path/filepath"

	"paperfs/remote/service/pdf"
)

// The service processes PDFs in a process of the same program, which is the
// test's here.
func init() { pdf.RunIfWorker() }

// pdfCache lies where the user's caches are; tests change the environment
// later.
var pdfCache = func() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "paperfs-test-pdf")
}()

// PDFCache is a directory for compiled code that all tests of a user share:
// building it again takes each of them seconds.
func PDFCache() string { return pdfCache }
