package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
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

func TestCompletion(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	in := e.path("ipaper")
	for _, command := range []string{"umount", "status"} {
		require.Contains(t, e.succeed("__complete", command, ""), in+"\n")
		require.Equal(t, in+"\n:4\n", e.succeed("__complete", command, in[:len(in)-2]), "only the mount, no files")
		require.Equal(t, ":16\n", e.succeed("__complete", command, "~/ip"), "the shell completes directories")
		require.Equal(t, ":4\n", e.succeed("__complete", command, in, ""), "only one argument")
	}
	require.Contains(t, e.succeed("__complete", "doctor", in[:len(in)-2]), in+"\n")
	for _, command := range []string{"stat", "why", "wait", "url", "open", "refresh", "retry", "discard", "undo"} {
		require.Contains(t, e.succeed("__complete", command, ""), in+"/\n")
		require.Equal(t, ":0\n", e.succeed("__complete", command, in+"/pa"), "the shell completes files")
	}
	require.Contains(t, e.must("paperfs() { "+e.program+" \"$@\"; }; paperfs __complete stat ''"), ":0\n", "in a mount, the shell completes its files")
	require.Contains(t, e.succeed("__complete", "help", "mou"), "mounting\t")
	e.fail(cli.ExitUsage, "give one of bash, fish, zsh", "completion", "tcsh")
}

// TestCompletionScripts checks that each installed shell can read its script.
func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := e.succeed("completion", shell)
		require.Contains(t, script, "__complete")
		if path, err := exec.LookPath(shell); err == nil {
			require.NoError(t, os.WriteFile(e.path(shell), []byte(script), 0o600))
			out, err := programtest.Command(t, testrun.Patience(), path, "-n", e.path(shell)).CombinedOutput()
			require.NoError(t, err, strings.TrimSpace(string(out)))
		}
	}
}

// TestCompletionOfBashAlone checks the script without the package bash-completion.
func TestCompletionOfBashAlone(t *testing.T) {
	t.Parallel()
	bash := testrun.Program(t, "bash")
	e := newEnvironment(t)
	e.profiles("[acme]\n[studio]\n")
	require.NoError(t, os.Mkdir(e.path("a folder"), 0o700))
	require.NoError(t, os.WriteFile(e.path("bash"), []byte(e.succeed("completion", "bash")), 0o600))
	complete := func(words ...string) string {
		script := `. ./bash; paperfs() { "$PROGRAM" "$@"; }; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
			__start_paperfs 2> /dev/null; printf '%s\n' "${COMPREPLY[@]}"`
		cmd := programtest.Command(t, testrun.Patience(), bash, append([]string{"--norc", "-c", script, "bash"}, words...)...)
		cmd.Env, cmd.Dir = append(e.vars, "PROGRAM="+program), e.home
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	require.Equal(t, "mount\nmounts\n", complete("paperfs", "mou"))
	require.Equal(t, "acme\nstudio\n", complete("paperfs", "mount", ""))
	require.Equal(t, "a folder\n", complete("paperfs", "mount", "acme", "a"))
}

// TestAScriptForEachShell checks that each shell gets its own, and that others are refused.
func TestAScriptForEachShell(t *testing.T) {
	for shell, has := range map[string]string{"bash": "_get_comp_words_by_ref() {", "zsh": "#compdef paperfs", "fish": "complete -c paperfs"} {
		root := &cobra.Command{Use: "paperfs"}
		root.AddCommand(newCompletionCommand())
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetArgs([]string{"completion", shell})
		require.NoError(t, root.Execute())
		require.Contains(t, out.String(), has)
		root.SetArgs([]string{"completion", "tcsh"})
		root.SetErr(&out)
		require.ErrorContains(t, root.Execute(), "bash, fish, zsh")
	}
}

var manPages = flag.String("man-pages", "", "`DIR` that gets the man pages of the commands and topics")

// manDate replaces the build time on the pages, so that they are reproducible.
const manDate = "paperfs"

// TestManPages writes a page for each command in section 1, and for each topic in section 7. The
// packages are built with: go test ./cmd/paperfs -run ManPages -man-pages DIR
func TestManPages(t *testing.T) {
	dir := *manPages
	if dir == "" {
		dir = t.TempDir()
	}
	makeManPages(t, dir)
	for _, page := range []string{"paperfs.1", "paperfs-mount.1", "paperfs-admin-tenant-add.1", "paperfs-mounting.7"} {
		require.FileExists(t, filepath.Join(dir, page))
	}
	require.Contains(t, string(testrun.Must(os.ReadFile(filepath.Join(dir, "paperfs-mount.1")))(t)), `"~/.local/share/paperfs"`)
	lint(t, dir)
}

// makeManPages writes a page for each command and each topic.
func makeManPages(t *testing.T, dir string) {
	t.Setenv("HOME", "/HOME") // appears in defaults: the pages must not depend on who builds them
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	root := newRootCommand(config.New())
	var topics []string
	for _, page := range allTopics() {
		topics = append(topics, fmt.Sprintf("**paperfs-%s(7)**", page.name))
		head := fmt.Sprintf("%% \"PAPERFS-%s\" \"7\" \"\" \"%s\" \"paperfs\"\n# NAME\n\npaperfs-%s - %s\n\n", strings.ToUpper(page.name), manDate, page.name, page.title)
		_, body, _ := strings.Cut(topicText(page.name), "\n")
		writePage(t, dir, "paperfs-"+page.name+".7", []byte(head+"# DESCRIPTION\n"+body))
	}
	count := 0
	for _, cmd := range withChildren(root) {
		if !cmd.IsAvailableCommand() && cmd != root {
			continue
		}
		count++
		var text bytes.Buffer
		cmd.DisableAutoGenTag = true
		require.NoError(t, doc.GenMan(cmd, &doc.GenManHeader{Section: "1", Source: manDate}, &text))
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		if cmd == root {
			text.WriteString("\n.PP\nTopics: " + strings.ReplaceAll(strings.Join(topics, ", "), "**", "") + "\n")
		}
		page := bytes.ReplaceAll(text.Bytes(), []byte("/HOME/"), []byte("~/"))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), page, 0o644))
	}
	require.Greater(t, count, 20)
}

func withChildren(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, child := range cmd.Commands() {
		all = append(all, withChildren(child)...)
	}
	return all
}

// lastColumn matches a table's last column as md2man writes it.
var lastColumn = regexp.MustCompile(`(?m)^((?:l )*l) *\.$`)

// writePage writes a page, and lets the last column of tables fill the line.
func writePage(t *testing.T, dir, name string, markdown []byte) {
	page := lastColumn.ReplaceAll(md2man.Render(markdown), []byte("${1}x ."))
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), page, 0o644))
}

// tooWide matches groff's warning about a table that needs more than 80 columns, and about a line that
// it cannot fill.
var tooWide = regexp.MustCompile(`(?m)^.*warning: .*around line \d+:\n *table wider than line width\n|^.*warning .*: cannot adjust line\n`)

// lint fails the test if groff finds a problem in the pages. Without groff it does nothing.
func lint(t *testing.T, dir string) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		return
	}
	pages := testrun.Must(filepath.Glob(filepath.Join(dir, "*")))(t)
	out, err := programtest.Command(t, testrun.Patience(), groff, append([]string{"-k", "-t", "-man", "-Tutf8", "-ww", "-z"}, pages...)...).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Empty(t, string(tooWide.ReplaceAll(out, nil)))
}
