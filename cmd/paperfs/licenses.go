package main

import (
	_ "embed"
	"io"
	"strings"

	"paperfs/remote/service/pdf/fonts"
)

// moduleLicenses are the notices of the program's Go modules. TestLicensesAreAllThere
// writes the file and checks it.
//
//go:embed licenses.txt
var moduleLicenses string

// pdfiumLicenses are the notices of PDFium and its libraries, which the program contains as
// WebAssembly, without a Go module that has them.
//
//go:embed licenses-pdfium.txt
var pdfiumLicenses string

// printLicenses prints the notices that the licences require.
func printLicenses(w io.Writer) error {
	_, err := io.WriteString(w, "paperfs contains the work of others, under these terms. The source of a Go module is at its path,\nat the version that `go version -m` of the program shows.\n\n"+moduleLicenses+"\n"+pdfiumLicenses+"\n"+strings.Repeat("=", 80)+"\n\n"+fonts.License)
	return err
}
