package generated

import (
	"context"

	"paperfs/fs/virtual"
)

// pdfOptions is the file of the options that the paper's PDFs are sent with, as XML. It shows those of the mount unless the paper has its
// own, which an empty line removes. Only its owner may read it: the password of a PDF is one of them.
func (g *Nodes) pdfOptions(id int64) *virtual.Value {
	v := g.Value(id, func(context.Context) (string, error) { return g.Documents.PDFOptions(id) },
		func(_ context.Context, value string) error { return g.Documents.SetPDFOptions(id, value) })
	v.Mode, v.AtClose = 0o600, true
	return v
}
