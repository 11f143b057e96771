package help

import (
	"encoding/xml"
	"io"
	"strings"
	"sync"
	"text/template"

	"paperfs/remote"
)

var description = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"params": params,
		"xml":    escape,
		"verbs":  func() []string { return []string{"Get", "Post"} },
		"upper":  strings.ToUpper,
		"soaps":  func() []string { return []string{"soap", "soap12"} },
	}).ParseFS(files, "wsdl.tmpl"))
})

func escape(s string) (string, error) {
	var b strings.Builder
	err := xml.EscapeText(&b, []byte(s))
	return b.String(), err
}

// Description is the data of a WSDL document.
type Description struct {
	Group      string
	Operations []*remote.Operation // of the group
	Namespace  string
	Address    string // of Group.asmx on this service
	RawTree    bool   // no operation returns a string element
}

// Text reports whether an operation's result is text rather than an element.
func (d Description) Text(op *remote.Operation) bool { return op.Wrapped && !d.RawTree }

// WSDL writes the WSDL 1.1 description of a group with its SOAP 1.1, SOAP 1.2,
// HTTP GET and HTTP POST bindings.
func WSDL(w io.Writer, d Description) error {
	return description().ExecuteTemplate(w, "wsdl.tmpl", d)
}
