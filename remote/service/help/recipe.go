package help

import (
	_ "embed"
	"strings"

	"paperfs/remote"
)

// Recipe is a program that uploads a file of any size. It takes the address and the account from
// the environment, as in client.env, and the file name as its first argument.
type Recipe struct {
	Title string
	How   string // the file is sent
	Run   string // the command that runs it
	Text  string
}

var (
	//go:embed curl.recipe
	curl string
	//go:embed python.recipe
	python string
)

// recipes returns the recipes of an operation that carries a file; nil for others. That for curl sends it raw, where the
// service has parameters of its own.
func recipes(op *remote.Operation) []Recipe {
	if op.Bulk == "" {
		return nil
	}
	inForm, inPython := "", ""
	for _, name := range op.Params {
		if value := atFirst[name]; name != op.Bulk {
			inForm += " --form-string " + name + "=" + value
			inPython += `, "` + name + `": "` + value + `"`
		}
	}
	of := func(recipe, others string) string {
		return strings.NewReplacer("{username}", op.Pair.Username, "{password}", op.Pair.Password, "{others}", others, "{file}", op.Bulk, "{path}", op.Path()).Replace(recipe)
	}
	all := []Recipe{{"with Python", "The base64 is made while it is read, with each + as %2B.", "python3 send.py FILE", of(python, inPython)}}
	if len(op.Own) > 0 {
		all = append(all, Recipe{"with curl", "It goes as it is, as multipart/form-data: it is the last part, and has a filename.", "bash send.sh FILE", of(curl, inForm)})
	}
	return all
}

// atFirst has the values of parameters in a recipe, for people to change.
var atFirst = map[string]string{"parentID": "0", "name": "large.bin", "paperID": "1"}
