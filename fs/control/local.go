package control

import (
	"encoding/json"
	"strings"
	"time"

	"paperfs/cache/content/tree"
	"paperfs/cache/media"
)

// Local is a name that stays on this machine; a directory includes all below it. The file
// local has a JSON array of them, by place.
type Local struct {
	Path  string    `json:"path"`  // below media/; in papers/, Place
	Place string    `json:"place"` // from the mount's root
	Files int       `json:"files"` // in a directory, at any depth; otherwise 1
	Size  int64     `json:"bytes"`
	Since time.Time `json:"since"` // the last change of its content
	Kept  string    `json:"kept"`  // directory outside the mount that has the content
}

// LocalNames returns the names in media/ and papers/ that stay on this machine.
func LocalNames(store MediaStore) []Local {
	list := []Local{}
	for _, n := range store.LocalNames() {
		list = append(list, local(n, store.SpoolDir()))
	}
	return list
}

func renderLocal(list []Local) ([]byte, error) {
	text, err := json.MarshalIndent(list, "", "  ")
	return append(text, '\n'), err
}

func local(n media.LocalName, kept string) Local {
	path := n.Path
	if n.Kind == media.Directory {
		path += "/"
	}
	return Local{strings.TrimPrefix(path, "/"), tree.MountPath(path), n.Files, n.Size, n.Since, kept}
}
