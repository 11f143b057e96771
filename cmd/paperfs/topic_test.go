package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// promising has the pages on which each list entry, and each row of a table, is a claim that tests check.
var promising = []string{"semantics", "closing", "colleagues", "other-services", "reading", "requests", "security", "sharing"}

var heldBy = regexp.MustCompile(`^<!-- held by (.*) -->$`)

// TestEachClaimIsHeld checks that the line below a claim, or below several in a row, names tests that
// check them, and that the tests that any page names exist.
func TestEachClaimIsHeld(t *testing.T) {
	for _, p := range allTopics() {
		for line := range strings.Lines(topicSource(p.name)) {
			if held := heldBy.FindStringSubmatch(strings.TrimSuffix(line, "\n")); held != nil {
				checkTests(t, held[1])
			}
		}
	}
	for _, page := range promising {
		claim, claims := "", 0
		for line := range strings.Lines(topicSource(page)) {
			line = strings.TrimSuffix(line, "\n")
			switch held := heldBy.FindStringSubmatch(line); {
			case held != nil:
				claim = ""
			case tableRule().MatchString(line): // the line above is the head of a table
				claim, claims = "", claims-1
			case strings.HasPrefix(line, "- "), strings.HasPrefix(line, "| "):
				claim, claims = line, claims+1
			case strings.HasPrefix(line, "#"):
				assert.Empty(t, claim, "%s: no test checks this claim", page)
			}
		}
		assert.Empty(t, claim, "%s: no test checks this claim", page)
		require.NotZero(t, claims, page)
	}
}

// checkTests checks that the tests in a text such as "PACKAGE TEST, TEST; PACKAGE TEST" exist. A test
// of a suite that several packages run is a function of the suite's package; one of the whole tree (package fs) is in
// the folder mounttest, one of the whole service in apitest.
func checkTests(t *testing.T, held string) {
	for part := range strings.SplitSeq(held, "; ") {
		dir, names, _ := strings.Cut(part, " ")
		files := testrun.Must(filepath.Glob(filepath.Join("../..", dir, "*.go")))(t)
		whole := testrun.Must(filepath.Glob(filepath.Join("../..", dir, "*test", "*.go")))(t)
		var tests strings.Builder
		for _, file := range append(files, whole...) {
			text := testrun.Must(os.ReadFile(file))(t)
			tests.Write(text)
		}
		for name := range strings.SplitSeq(names, ", ") {
			assert.True(t, strings.Contains(tests.String(), "\nfunc "+name+"(t *testing.T"), "%s has no %s", dir, name)
		}
	}
}

// TestPagesAreReadable checks that each page has a title and shows no comment, and that each file is a page of one part.
func TestPagesAreReadable(t *testing.T) {
	all := allTopics()
	files := testrun.Must(topicFiles.ReadDir("topic"))(t)
	require.Len(t, all, len(files))
	for _, file := range files {
		assert.True(t, slices.ContainsFunc(all, func(p topic) bool { return p.name+topicExtension == file.Name() }), file.Name())
	}
	for _, p := range all {
		assert.NotEmpty(t, p.title, p.name)
		assert.True(t, strings.HasPrefix(topicText(p.name), "# "+p.title+"\n\n"), p.name)
		assert.NotContains(t, topicText(p.name), "<!--", p.name)
	}
}
