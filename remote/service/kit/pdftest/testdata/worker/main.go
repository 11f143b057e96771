// Command worker is a PDF worker and nothing else (see pdftest.Command).
package main

import (
	"os"

	"paperfs/remote/service/pdf"
)

func main() { os.Exit(pdf.Work()) }
