package control

import (
	"encoding/json"
	"time"

	"paperfs/cache/media"
)

// Local is a name that stays on this machine; of a directory, with all that is
// in it. The file local holds a JSON array of them, by path.
type Local struct {
	Path  string    `json:"path"`  // below media/
	Files int       `json:"files"` // in a directory, at any depth; else 1
	Size  int64     `json:"bytes"`
	Since time.Time `json:"since"` // the last change of its content
}

func renderLocal(names []media.LocalName) ([]byte, error) {
	list := make([]Local, len(names))
	for i, n := range names {
		list[i] = Local{n.Path, n.Files, n.Size, n.Since}
		if n.Kind == media.Directory {
			list[i].Path += "/"
		}
	}
	text, err := json.MarshalIndent(list, "", "  ")
	return append(text, '\n'), err
}
