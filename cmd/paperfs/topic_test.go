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
)

// promising has the pages on which each list entry, and each row of a table, is a claim that tests check.
var promising = []string{"semantics", "reading", "requests", "security", "sharing"}

var heldBy = regexp.MustCompile(`^<!-- held by (.*) -->$`)

// TestEachClaimIsHeld checks that the line below a claim, or below several in a row, names tests that
// check them, and that these tests exist.
func TestEachClaimIsHeld(t *testing.T) {
	for _, page := range promising {
		claim, claims := "", 0
		for line := range strings.Lines(topicSource(page)) {
			line = strings.TrimSuffix(line, "\n")
			switch held := heldBy.FindStringSubmatch(line); {
			case held != nil:
				assert.NotEmpty(t, claim, "%s: no claim above: %s", page, line)
				claim = ""
				checkTests(t, held[1])
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
		files, err := filepath.Glob(filepath.Join("../..", dir, "*.go"))
		require.NoError(t, err)
		whole, err := filepath.Glob(filepath.Join("../..", dir, "*test", "*.go"))
		require.NoError(t, err)
		var tests strings.Builder
		for _, file := range append(files, whole...) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			tests.Write(text)
		}
		for name := range strings.SplitSeq(names, ", ") {
			assert.True(t, strings.Contains(tests.String(), "\nfunc "+name+"(t *testing.T"), "%s has no %s", dir, name)
		}
	}
}

// TestPagesAreReadable checks that each page has a title and shows no comment, and that those of
// operators exist.
func TestPagesAreReadable(t *testing.T) {
	all := allTopics()
	require.NotEmpty(t, all)
	for _, name := range ofService {
		assert.True(t, slices.ContainsFunc(all, func(p topic) bool { return p.name == name }), name)
	}
	for _, p := range all {
		assert.NotEmpty(t, p.title, p.name)
		assert.True(t, strings.HasPrefix(topicText(p.name), "# "+p.title+"\n\n"), p.name)
		assert.NotContains(t, topicText(p.name), "<!--", p.name)
	}
}
