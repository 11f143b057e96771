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

// TestTopicsAreInTheirParts checks that the help lists each topic in its part of the manual, in the order in which people read.
func TestTopicsAreInTheirParts(t *testing.T) {
	help := cli.Help(completeRoot(), 80)
	for _, part := range parts {
		_, below, found := strings.Cut(help, "\n"+part.title+"\n")
		require.True(t, found, part.title)
		below, _, _ = strings.Cut(below, "\n\n")
		var names []string
		for _, line := range regexp.MustCompile(`(?m)^  ([a-z-]+) +\S`).FindAllStringSubmatch(below, -1) {
			names = append(names, line[1])
		}
		require.Equal(t, part.topics, names)
	}
}

// TestWordsAreFoundInTheManual checks what people look for who do not know the name of the topic.
func TestWordsAreFoundInTheManual(t *testing.T) {
	for words, topic := range map[string]string{"upgrades": "nodes", "quota": "tenants", "roles": "accounts", "nginx": "proxies", "preview": "periods",
		"lost key": "accounts", "time zone": "periods", "Uninstall": "directories", "full disk": "damage", "Caddy": "proxies", "logo": "settings"} {
		root := completeRoot()
		var out strings.Builder
		root.SetOut(&out)
		root.SetArgs(append([]string{"help"}, strings.Fields(words)...))
		require.NoError(t, root.Execute(), words)
		require.Regexp(t, `^No command or topic is called "[a-z ]+"\. These topics have it:\n(\npaperfs help [a-z-]+    .*\n    .+\n)*\npaperfs help `+topic+"    ", out.String())
		require.LessOrEqual(t, strings.Count(out.String(), "\npaperfs help "), mostPlaces)
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
