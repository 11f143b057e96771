package help

import (
	"embed"
	"html/template"
	"io"
	"sync"

	"paperfs/remote"
	"paperfs/remote/service/reader/view"
)

//go:embed *.tmpl
var files embed.FS

// pages are parsed when the first is shown: every command of the program has this package in it.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"params": params, "recipes": recipes, "format": Format, "answer": Answer, "asset": view.AssetPath}).ParseFS(files, "*.html.tmpl"))
})

// params returns an operation's parameters in order, credentials first.
func params(op *remote.Operation) []string {
	return append([]string{op.Pair.Username, op.Pair.Password}, op.All()...)
}

// Group writes the page that lists the operations of a group.
func Group(w io.Writer, group string, ops []*remote.Operation) error {
	return pages().ExecuteTemplate(w, "group.html.tmpl", map[string]any{"Group": group, "Operations": ops})
}

// Operation writes the page of one operation; path is its path on this service.
func Operation(w io.Writer, op *remote.Operation, path string) error {
	return pages().ExecuteTemplate(w, "operation.html.tmpl", map[string]any{"Op": op, "Path": path})
}
