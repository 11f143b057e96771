// Package topic has the help topics, which `paperfs help TOPIC` prints. Each is a Markdown
// file in this directory.
//
// A comment in a file (<!-- held by PACKAGE TEST, TEST; PACKAGE TEST -->) names the tests of
// the claims above it. It is not shown. The tests of this package check that each claim of a
// page with promises has such a comment, and that the tests exist.
package topic

import (
	"embed"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

//go:embed *.md
var files embed.FS

const extension = ".md"

// Topic is one page; see [Text].
type Topic struct {
	Name    string // the name in `paperfs help NAME`
	Title   string // its first line
	Service bool   // for those who run the service; the others are for those who use a mount
}

// ofService are the topics about running the service.
var ofService = []string{"backup", "cluster", "metrics", "proxies", "security", "service", "tenants"}

// comment matches a comment and the end of its line. The first line of a page has none.
var comment = regexp.MustCompile(`(?s)<!--.*?-->\n?`)

// All returns the topics, sorted by name.
func All() []Topic {
	names, err := fs.Glob(files, "*"+extension)
	if err != nil {
		panic(err) // the pattern is constant
	}
	var all []Topic
	for _, name := range names {
		title, _, _ := strings.Cut(source(name), "\n")
		name = strings.TrimSuffix(path.Base(name), extension)
		all = append(all, Topic{Name: name, Title: strings.TrimPrefix(title, "# "), Service: slices.Contains(ofService, name)})
	}
	return all
}

// Text returns the page of a topic, without comments.
func Text(name string) string { return comment.ReplaceAllString(source(name+extension), "") }

func source(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the file is embedded
	}
	return string(text)
}
