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
	Run   string // the command that runs it
	Text  string
}

var (
	//go:embed curl.recipe
	curl string
	//go:embed python.recipe
	python string
)

// recipes returns the recipes of an operation that carries a file; nil for others. The curl
// recipe encodes the form itself, since curl would need the whole encoded form in memory.
func recipes(op *remote.Operation) []Recipe {
	if op.Bulk == "" {
		return nil
	}
	inForm, inPython := "", ""
	for _, name := range op.Params {
		if value := atFirst[name]; name != op.Bulk {
			inForm += "&" + name + "=" + value
			inPython += `, "` + name + `": "` + value + `"`
		}
	}
	of := func(recipe, others string) string {
		return strings.NewReplacer("{username}", op.Pair.Username, "{password}", op.Pair.Password, "{others}", others, "{file}", op.Bulk, "{path}", op.Path()).Replace(recipe)
	}
	return []Recipe{{"with curl", "bash send.sh FILE", of(curl, inForm)}, {"with Python", "python3 send.py FILE", of(python, inPython)}}
}

// atFirst has the values of parameters in a recipe, for people to change.
var atFirst = map[string]string{"parentID": "0", "name": "large.bin", "paperID": "1"}
