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

	"paperfs/cmd/paperfs/config"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/stretchr/testify/require"
)

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
