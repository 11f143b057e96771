package help

import (
	"encoding/xml"
	"io"
	"strings"
	"text/template"

	"paperfs/remote"
)

var description = template.Must(template.New("").Funcs(template.FuncMap{
	"params": params,
	"xml":    escape,
	"verbs":  func() []string { return []string{"Get", "Post"} },
	"upper":  strings.ToUpper,
}).ParseFS(files, "wsdl.tmpl"))

func escape(s string) (string, error) {
	var b strings.Builder
	err := xml.EscapeText(&b, []byte(s))
	return b.String(), err
}

// WSDL writes the WSDL 1.1 description of a group with its HTTP GET and HTTP
// POST bindings. The address is that of Group.asmx on this service.
func WSDL(w io.Writer, group string, ops []*remote.Operation, namespace, address string) error {
	return description.ExecuteTemplate(w, "wsdl.tmpl", map[string]any{
		"Group": group, "Operations": ops, "Namespace": namespace, "Address": address,
	})
}
