package main

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheReadmeNamesEveryCommandAndFlag: what no document mentions does not exist.
func TestTheReadmeNamesEveryCommandAndFlag(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if cmd.Hidden || cmd.Name() == "help" {
			return
		}
		assert.True(t, strings.Contains(string(readme), cmd.Name()), cmd.CommandPath())
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !f.Hidden {
				assert.True(t, strings.Contains(string(readme), "--"+f.Name), "%s --%s", cmd.CommandPath(), f.Name)
			}
		})
		for _, child := range cmd.Commands() {
			visit(child)
		}
	}
	visit(newRootCommand(NewConfig()))
}
