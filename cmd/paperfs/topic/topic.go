// Package topic has the help topics: what `paperfs help TOPIC` prints. Each is
// a Markdown file beside this one.
//
// A comment in a file (<!-- held by PACKAGE TEST, TEST; PACKAGE TEST -->) names
// the tests that hold the claims above it. It is not shown; the tests of this
// package see to it that each claim of a page that promises something has one,
// and that the tests exist.
package topic

import (
	"embed"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

//go:embed *.md
var files embed.FS

// Topic is one page.
type Topic struct {
	Name  string // as in `paperfs help NAME`
	Title string // its first line
	Text  string // the whole page as it is shown
}

// comment is one with the line that it ends.
var comment = regexp.MustCompile(`(?s)<!--.*?-->\n?`)

// All returns the topics, sorted by name.
func All() []Topic {
	names, err := fs.Glob(files, "*.md")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	var all []Topic
	for _, name := range names {
		text := comment.ReplaceAllString(source(name), "")
		title, _, _ := strings.Cut(text, "\n")
		all = append(all, Topic{Name: strings.TrimSuffix(path.Base(name), ".md"), Title: strings.TrimPrefix(title, "# "), Text: text})
	}
	return all
}

func source(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}
