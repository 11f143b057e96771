package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shown returns the commands that the help lists, with their subcommands.
func shown(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() || child.Name() == "help" {
			all = append(all, shown(child)...)
		}
	}
	return all
}

func completeRoot() *cobra.Command {
	root := newRootCommand(config.New())
	root.InitDefaultHelpCmd()
	return root
}

// TestHelpHasOneForm checks that each command has a summary, usage and examples, within the width
// of a terminal.
func TestHelpHasOneForm(t *testing.T) {
	t.Setenv("HOME", "/home/you") // appears in defaults
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	commands := shown(completeRoot())
	require.Greater(t, len(commands), 35)
	for _, cmd := range commands {
		for _, width := range []int{60, 80, 100} {
			text := cli.Help(cmd, width)
			assert.True(t, strings.HasPrefix(text, cmd.Short+"\n\n"), cmd.CommandPath())
			assert.Contains(t, text, "\n\nUsage:\n  "+cmd.CommandPath())
			assert.Contains(t, text, "\n\nExamples:\n  paperfs ", cmd.CommandPath())
			for line := range strings.Lines(text) {
				assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), max(width, 80), "%s: %s", cmd.CommandPath(), line)
			}
		}
		assert.LessOrEqual(t, len(cmd.Short), 62, cmd.Short)
		assert.NotRegexp(t, `\.$`, cmd.Short)
	}
}

// TestTopicsAreInTwoGroups checks that the help lists each topic once, in the group of its readers.
func TestTopicsAreInTwoGroups(t *testing.T) {
	mounts, service, found := strings.Cut(cli.Help(completeRoot(), 80), "\nTopics about running the service (paperfs help TOPIC):\n")
	require.True(t, found)
	_, mounts, found = strings.Cut(mounts, "\nTopics about mounts (paperfs help TOPIC):\n")
	require.True(t, found)
	for _, p := range allTopics() {
		line := regexp.MustCompile(`(?m)^  ` + p.name + ` +` + regexp.QuoteMeta(p.title) + `$`)
		assert.Equal(t, p.service, line.MatchString(service), p.name)
		assert.Equal(t, !p.service, line.MatchString(mounts), p.name)
	}
}

// TestTenantSetHasNoDefaults checks that no help suggests that tenant set resets the settings without a flag.
func TestTenantSetHasNoDefaults(t *testing.T) {
	set := commands()["admin tenant set"]
	assert.NotContains(t, set.LocalNonPersistentFlags().FlagUsages(), "(default")
}

// TestExamplesOfHelpAreCalls checks that the command, or a subcommand, accepts each example.
func TestExamplesOfHelpAreCalls(t *testing.T) {
	for _, cmd := range shown(completeRoot()) {
		for line := range strings.Lines(strings.ReplaceAll(cmd.Example, "\\\n", "")) {
			line, _, _ = strings.Cut(line, "#")
			line, _, _ = strings.Cut(line, ">")
			words := strings.Fields(line)
			require.Equal(t, "paperfs", words[0], line)
			root := completeRoot() // a new one, because parsing sets flags
			called, rest, err := root.Find(words[1:])
			require.NoError(t, err, line)
			assert.True(t, strings.HasPrefix(called.CommandPath()+" ", cmd.CommandPath()+" "), "%s: %s", cmd.CommandPath(), line)
			require.NoError(t, called.ParseFlags(rest), line)
			require.NoError(t, called.ValidateArgs(called.Flags().Args()), line)
		}
	}
}
