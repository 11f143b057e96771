package main

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"

	"paperfs/remote/rules"
)

// topicFiles are the help topics: a Markdown file each.
//
// A comment in a file (<!-- held by PACKAGE TEST, TEST; PACKAGE TEST -->) names the tests of
// the claims above it. It is not shown. TestEachClaimIsHeld checks that each claim of a
// page with promises has such a comment, and that the tests exist.
//
//go:embed topic/*.md
var topicFiles embed.FS

const topicExtension = ".md"

// topic is one page; see topicText.
type topic struct {
	name    string // the name in `paperfs help NAME`
	title   string // its first line
	service bool   // for those who run the service; the others are for those who use a mount
}

// ofService are the topics about running the service.
var ofService = []string{"backup", "cluster", "metrics", "proxies", "security", "service", "tenants"}

// topicComment matches a comment and the end of its line. The first line of a page has none.
var topicComment = rules.Pattern(`(?s)<!--.*?-->\n?`)

// allTopics returns the topics, sorted by name.
func allTopics() []topic {
	files, err := fs.Glob(topicFiles, "topic/*"+topicExtension)
	if err != nil {
		panic(err) // the pattern is constant
	}
	var all []topic
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), topicExtension)
		title, _, _ := strings.Cut(topicSource(name), "\n")
		all = append(all, topic{name: name, title: strings.TrimPrefix(title, "# "), service: slices.Contains(ofService, name)})
	}
	return all
}

// topicText returns the page of a topic, without comments.
func topicText(name string) string { return topicComment().ReplaceAllString(topicSource(name), "") }

func topicSource(name string) string {
	text, err := topicFiles.ReadFile("topic/" + name + topicExtension)
	if err != nil {
		panic(err) // the file is embedded
	}
	return string(text)
}
