package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// documents are the README and the sources of the topics, by file name.
func documents(t *testing.T) map[string]string {
	names, err := filepath.Glob("topic/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	texts := map[string]string{}
	for _, name := range append(names, "../../README.md") {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		texts[name] = string(text)
	}
	return texts
}

// commands are all that a user can call, by their paths without the first word.
func commands() map[string]*cobra.Command {
	all := map[string]*cobra.Command{}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if !cmd.Hidden && !cmd.IsAdditionalHelpTopicCommand() {
			all[strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "paperfs"), " ")] = cmd
		}
		for _, child := range cmd.Commands() {
			visit(child)
		}
	}
	visit(newRootCommand(NewConfig()))
	return all
}

// TestDocumentsNameEveryCommand: what no document mentions does not exist.
func TestDocumentsNameEveryCommand(t *testing.T) {
	var text strings.Builder
	for _, document := range documents(t) {
		text.WriteString(document)
	}
	for path, cmd := range commands() {
		assert.Contains(t, text.String(), cmd.Name(), path)
	}
}
