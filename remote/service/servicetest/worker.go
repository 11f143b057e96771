package servicetest

import (
	"fmt"
	"os"
	"path/filepath"

	"paperfs/remote/service/pdf"
)

// The service processes PDFs in a process of the same program, which is the
// test's here.
func init() { pdf.RunIfWorker() }

// PDFCache is a directory for compiled code that all tests of a user share:
// making it anew takes each of them seconds.
func PDFCache() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("paperfs-test-pdf-%d", os.Getuid()))
}
