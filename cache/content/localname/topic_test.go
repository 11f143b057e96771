package localname

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheTopicListsThePatterns checks that `paperfs help names` lists the patterns of Everywhere.
func TestTheTopicListsThePatterns(t *testing.T) {
	text, err := os.ReadFile("../../../cmd/paperfs/topic/names.md")
	require.NoError(t, err)
	var told []Pattern
	for _, row := range regexp.MustCompile(`(?m)^ {4}(\S+) {2,}(\S.*)$`).FindAllStringSubmatch(string(text), -1) {
		told = append(told, Pattern{Glob: strings.ToLower(row[1]), Why: row[2]})
	}
	for i, p := range Everywhere[:min(len(told), len(Everywhere))] {
		told[i].unfinished = p.unfinished
	}
	require.Equal(t, Everywhere, told)
	for _, end := range sidecarSuffixes {
		require.Contains(t, string(text), "`X"+end+"`")
	}
}
