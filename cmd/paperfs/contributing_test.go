package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestTheMapOfTheHouse checks that everything with a slash that CONTRIBUTING.md marks as code, but for
// commands, is a file or a folder, and that it fits on a page.
func TestTheMapOfTheHouse(t *testing.T) {
	t.Parallel()
	text := testrun.Must(os.ReadFile("../../CONTRIBUTING.md"))(t)
	paths := 0
	for _, span := range regexp.MustCompile("`([^` ]+/[^` ]*)`").FindAllStringSubmatch(string(text), -1) {
		_, err := os.Stat(filepath.Join("../..", span[1]))
		assert.NoError(t, err)
		paths++
	}
	require.Greater(t, paths, 50)
	require.Less(t, strings.Count(string(text), "\n"), 80)
}
