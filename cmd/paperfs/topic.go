package main

import (
	"embed"
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
	name  string // the name in `paperfs help NAME`
	title string // its first line
	part  string // of the manual: the ID of its group in the help
}

// parts are the parts of the manual, for three kinds of readers, with their topics in the order in which people read them.
var parts = []struct {
	id, title string
	topics    []string
}{
	{"using", "Using a mount (paperfs help TOPIC):", []string{"start", "publish", "periods", "manage", "move", "mistakes", "search", "settings", "pdf", "reader", "shop",
		"statistics", "colleagues", "changes", "names", "closing", "reading", "fresh", "write-back", "failures", "recovery",
		"mounting", "boot", "profiles", "desktop", "sharing", "directories"}},
	{"running", "Running a service (paperfs help TOPIC):", []string{"service", "proxies", "access", "accounts", "tenants", "backup", "damage", "upgrade",
		"webhooks", "metrics", "cluster", "nodes", "security"}},
	{"reference", "To look up (paperfs help TOPIC):", []string{"words", "tree", "commands", "errors", "requests", "scripts", "api", "extensions", "semantics",
		"other-services"}},
}

// topicComment matches a comment and the end of its line. The first line of a page has none.
var topicComment = rules.Pattern(`(?s)<!--.*?-->\n?`)

// allTopics returns the topics, in the order of parts.
func allTopics() []topic {
	var all []topic
	for _, part := range parts {
		for _, name := range part.topics {
			title, _, _ := strings.Cut(topicSource(name), "\n")
			all = append(all, topic{name: name, title: strings.TrimPrefix(title, "# "), part: part.id})
		}
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
