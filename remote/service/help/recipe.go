package help

import (
	"slices"
	"strings"
	"text/template"

	"paperfs/remote"
)

// Recipe is a program that sends a file of any size. It takes the address and
// the account from the environment, as client.env sets it, and the file as its
// first argument.
type Recipe struct {
	Title string
	Run   string // how it is started
	Text  string
}

var recipeTexts = template.Must(template.New("").Funcs(template.FuncMap{"values": values}).ParseFS(files, "*.recipe.tmpl"))

// recipes are those of an operation that carries a file; none for the others.
// A form that curl encodes itself has to fit into its memory.
func recipes(op *remote.Operation) ([]Recipe, error) {
	if op.Bulk == "" {
		return nil, nil
	}
	all := []Recipe{{Title: "with curl", Run: "bash send.sh FILE"}, {Title: "with Python", Run: "python3 send.py FILE"}}
	for i, name := range []string{"curl.recipe.tmpl", "python.recipe.tmpl"} {
		var b strings.Builder
		if err := recipeTexts.ExecuteTemplate(&b, name, op); err != nil {
			return nil, err
		}
		all[i].Text = b.String()
	}
	return all, nil
}

// parameter is one that a recipe sends beside the file, with a value to begin
// with.
type parameter struct{ Name, Value string }

func values(op *remote.Operation) []parameter {
	start := map[string]string{"parentID": "0", "name": "large.bin", "paperID": "1"}
	var all []parameter
	for _, name := range slices.DeleteFunc(slices.Clone(op.Params), func(n string) bool { return n == op.Bulk }) {
		all = append(all, parameter{name, start[name]})
	}
	return all
}
