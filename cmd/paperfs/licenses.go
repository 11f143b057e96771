package main

import (
	_ "embed"
	"io"
)

// moduleLicenses are the notices of the Go modules that the program is built of;
// TestLicensesAreAllThere writes the file and holds it.
//
//go:embed licenses.txt
var moduleLicenses string

// pdfiumLicenses are those of PDFium and its libraries, which are in the
// program as WebAssembly and have no notices in a module.
//
//go:embed licenses-pdfium.txt
var pdfiumLicenses string

// printLicenses prints the notices that the licences ask for.
func printLicenses(w io.Writer) error {
	_, err := io.WriteString(w, "paperfs contains the work of others, under these terms. The source of a Go module is at its path,\nat the version that `go version -m` of the program shows.\n\n"+moduleLicenses+"\n"+pdfiumLicenses)
	return err
}
