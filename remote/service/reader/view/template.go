package view

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"sync"
)

//go:embed *.html.tmpl
var templateFiles embed.FS

// forms returns the templates. It parses them at the first use.
var forms = sync.OnceValue(func() *template.Template {
	_, names := assets()
	return template.Must(template.New("").Funcs(template.FuncMap{
		"asset": func(name string) string { return names[name] },
		"of":    fmt.Sprintf,
		"json": func(p Plural) string {
			text, _ := json.Marshal(p) // strings
			return string(text)
		},
	}).ParseFS(templateFiles, "*.html.tmpl"))
})
