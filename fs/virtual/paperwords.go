package virtual

import (
	"strings"

	"paperfs/remote/shellword"
)

// PaperWords returns, for a removal in the directory of a paper, the command that deletes
// the paper. Otherwise it returns "".
func PaperWords(op, path string) string {
	paper, _, in := strings.Cut(path+"/", ".paper/")
	if !in || op != "unlink" && op != "rmdir" {
		return ""
	}
	return "; to delete the whole paper, where deleting is allowed, run: rmdir " + shellword.Quote(paper+".paper")
}
