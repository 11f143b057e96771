package fs

import (
	_ "embed"
	"strings"
)

//go:embed README.txt
var readmeText string

// readme returns the content of README.txt at the mount's root: what is where, on one
// screen.
func readme(o Options) func() []byte {
	text := []byte(strings.ReplaceAll(readmeText, "{SERVICE}", o.Source))
	return func() []byte { return text }
}
