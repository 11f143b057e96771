package servicetest

import "paperfs/remote/service/pdf"

// The service processes PDFs in a subprocess of the same program, which in tests is the test
// program.
func init() {
	pdf.RunIfWorker()
	rememberIfWorker()
}
