// Command worker is a PDF worker, which may remember, and nothing else (see pdftest.Command).
package main

import (
	"os"

	_ "paperfs/remote/service/kit/servicetest" // the worker that remembers
	"paperfs/remote/service/pdf"
)

func main() { os.Exit(pdf.Work()) }
