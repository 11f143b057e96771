package help

import (
	"slices"
	"strings"
	"sync"
	"text/template"

	"paperfs/remote"
)

// Recipe is a program that uploads a file of any size. It takes the address and the account from
// the environment, as in client.env, and the file name as its first argument.
type Recipe struct {
	Title string
	Run   string // the command that runs it
	Text  string
}

var recipeTexts = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"values": values}).ParseFS(files, "*.recipe.tmpl"))
})

// recipes returns the recipes of an operation that carries a file; nil for others. The curl
// recipe encodes the form itself, since curl would need the whole encoded form in memory.
func recipes(op *remote.Operation) ([]Recipe, error) {
	if op.Bulk == "" {
		return nil, nil
	}
	all := []Recipe{{Title: "with curl", Run: "bash send.sh FILE"}, {Title: "with Python", Run: "python3 send.py FILE"}}
	for i, name := range []string{"curl.recipe.tmpl", "python.recipe.tmpl"} {
		var b strings.Builder
		if err := recipeTexts().ExecuteTemplate(&b, name, op); err != nil {
			return nil, err
		}
		all[i].Text = b.String()
	}
	return all, nil
}

// parameter is a parameter that a recipe sends in addition to the file, with an initial value.
type parameter struct{ Name, Value string }

func values(op *remote.Operation) []parameter {
	start := map[string]string{"parentID": "0", "name": "large.bin", "paperID": "1"}
	var all []parameter
	for _, name := range slices.DeleteFunc(slices.Clone(op.Params), func(n string) bool { return n == op.Bulk }) {
		all = append(all, parameter{name, start[name]})
	}
	return all
}
