package servicetest

import (
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/pdf"
)

// The service processes PDFs in a subprocess of the same program, which in tests is the test
// program.
func init() {
	pdf.RunIfWorker()
	rememberIfWorker()
}

// PDFCache returns a directory for compiled code that all tests of a user share.
func PDFCache() string { return pdftest.Cache() }
