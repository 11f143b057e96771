package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/mount"
	"paperfs/cmd/paperfs/profile"
	"paperfs/fs/control"
	"paperfs/fs/guard"
	"paperfs/fs/virtual"
	"paperfs/remote"
	"paperfs/remote/testrun"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// These tests check the documents against the program: everything that they name must exist.

const readmeFile = "../../README.md"

// documents returns the README and the sources of the topics, by file name.
func documents(t *testing.T) map[string]string {
	names := testrun.Must(filepath.Glob("topic/*.md"))(t)
	require.NotEmpty(t, names)
	texts := map[string]string{}
	for _, name := range append(names, readmeFile) {
		text := testrun.Must(os.ReadFile(name))(t)
		texts[name] = string(text)
	}
	return texts
}

// commands returns all commands by their paths after the program's name.
func commands() map[string]*cobra.Command {
	all := map[string]*cobra.Command{}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if !cmd.IsAdditionalHelpTopicCommand() {
			all[strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "paperfs"), " ")] = cmd
		}
		for _, child := range cmd.Commands() {
			visit(child)
		}
	}
	root := newRootCommand(config.New())
	root.InitDefaultHelpCmd()
	visit(root)
	return all
}

// flagsOf returns the names of a command's flags.
func flagsOf(cmd *cobra.Command) (names []string) {
	cmd.InitDefaultHelpFlag()
	for word := range strings.FieldsSeq(cmd.LocalFlags().FlagUsages() + cmd.InheritedFlags().FlagUsages()) {
		if name, ok := strings.CutPrefix(word, "--"); ok {
			names = append(names, name)
		}
	}
	return names
}

// TestDocumentsNameEveryCommand checks that the documents mention each command: users cannot find
// an undocumented one.
func TestDocumentsNameEveryCommand(t *testing.T) {
	var text strings.Builder
	for _, document := range documents(t) {
		text.WriteString(document)
	}
	for path, cmd := range commands() {
		assert.True(t, cmd.Hidden || strings.Contains(text.String(), cmd.Name()), path)
	}
}

// called matches the places of a document that name a command: the text after the program's name,
// up to the end of the line or of the code span.
var called = regexp.MustCompile("(?m)(?:^|[` ])paperfs ([a-z][^`\n]*)")

// TestDocumentsNameWhatExists checks that each command in a document exists and has the flags
// shown.
func TestDocumentsNameWhatExists(t *testing.T) {
	all, source := commands(), programSource(t)
	for file, text := range documents(t) {
		for _, code := range codeOf(text) {
			for _, call := range called.FindAllStringSubmatch(code, -1) {
				words := strings.Fields(call[1])
				if words[0] == "help" {
					continue // TestDocumentsLeadToTopics checks topics
				}
				path := words[0]
				if path == guard.Argument {
					continue // paperfs runs it for itself
				}
				if all[path] == nil { // otherwise it may be an argument that paperfs passes to itself
					assert.Contains(t, source, `= "`+path+`"`, "%s: paperfs %s", file, call[1])
					continue
				}
				flags := flagsOf(all[path])
				for _, word := range words[1:] {
					if name, ok := strings.CutPrefix(word, "--"); ok {
						name, _, _ = strings.Cut(name, "=")
						assert.Contains(t, flags, name, "%s: paperfs %s", file, call[1])
					} else if word == "#" {
						break
					} else if deeper := path + " " + word; all[deeper] != nil {
						path, flags = deeper, flagsOf(all[deeper])
					}
				}
			}
		}
	}
}

// codeOf returns a document's code: its indented lines, and the text between backquotes.
func codeOf(text string) (code []string) {
	for line := range strings.Lines(text) {
		if shown, ok := strings.CutPrefix(line, "    "); ok {
			code = append(code, strings.TrimPrefix(shown, "$ "))
		}
	}
	for _, span := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(text, -1) {
		code = append(code, strings.Join(strings.Fields(span[1]), " "))
	}
	return code
}

// TestDocumentsNameFlagsThatExist checks that each flag in a document exists, and that no document
// has a table of flags, which --help prints.
func TestDocumentsNameFlagsThatExist(t *testing.T) {
	var known []string
	for _, cmd := range commands() {
		known = append(known, flagsOf(cmd)...)
	}
	require.Contains(t, known, "write-back")
	ofOthers := regexp.MustCompile("(?s)`(?:rsync|cp|qpdf|rclone|grep|initdb|systemctl) [^`]*`|(?m:^    (?:rclone|podman|systemctl) .*$)|`--(?:user|pass|cert|key|dir-cache-time|parents)`")
	for file, text := range documents(t) {
		text = ofOthers.ReplaceAllString(text, "``")
		for _, named := range regexp.MustCompile("(?m)(?:^|[` (])--([a-z][a-z-]*)").FindAllStringSubmatch(text, -1) {
			assert.True(t, slices.Contains(known, named[1]), "%s: --%s", file, named[1])
		}
		assert.NotContains(t, text, "\n| `--", "%s has a table of flags", file)
	}
}

func TestDocumentsLeadToTopics(t *testing.T) {
	t.Parallel()
	var names []string
	for _, p := range allTopics() {
		names = append(names, p.name)
	}
	for file, text := range documents(t) {
		for _, named := range regexp.MustCompile(`paperfs help ([a-z][a-z-]*)`).FindAllStringSubmatch(text, -1) {
			assert.Contains(t, names, named[1], file)
		}
	}
	for _, name := range names {
		assert.Contains(t, documents(t)[readmeFile], "`"+name+"`", "the README names each topic")
	}
}

// exitCodes returns the program's exit codes by their names in package cli.
func exitCodes(t *testing.T) map[string]int {
	parsed := testrun.Must(parser.ParseFile(token.NewFileSet(), "cli/exit.go", nil, 0))(t)
	codes := map[string]int{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		code := testrun.Must(strconv.Atoi(spec.Values[0].(*ast.BasicLit).Value))(t)
		codes[spec.Names[0].Name] = code
		return true
	})
	require.Equal(t, cli.ExitForeignData, codes["ExitForeignData"])
	return codes
}

// TestExitCodesAreTheirTopics checks that program and topic have the same exit codes.
func TestExitCodesAreTheirTopics(t *testing.T) {
	t.Parallel()
	var told, are []int
	for _, row := range regexp.MustCompile(`(?m)^ {4}(\d+) `).FindAllStringSubmatch(documents(t)["topic/errors.md"], -1) {
		code := testrun.Must(strconv.Atoi(row[1]))(t)
		told = append(told, code)
	}
	codes := exitCodes(t)
	for _, code := range codes {
		are = append(are, code)
	}
	slices.Sort(are)
	require.Equal(t, are, told)
	for file, text := range documents(t) {
		for _, named := range regexp.MustCompile(`exit(?: code)? (\d+)`).FindAllStringSubmatch(text, -1) {
			assert.Contains(t, are, testrun.Must(strconv.Atoi(named[1]))(t), file)
		}
	}
}

// TestDocumentsNameTheFilesOfControl checks the files of .paperfs.
func TestDocumentsNameTheFilesOfControl(t *testing.T) {
	t.Parallel()
	entries := testrun.Must(control.NewRoot(control.Options{}).(*virtual.Dir).Source.List(t.Context()))(t)
	names := []string{"deleted"} // never listed
	failures := documents(t)["topic/failures.md"]
	for _, e := range entries {
		names = append(names, e.Name)
		assert.Regexp(t, "(?m)^    (?:[a-z]+/?, )*"+e.Name+"/?(?:,|  |$)", failures)
	}
	for file, text := range documents(t) {
		for _, named := range regexp.MustCompile(`\.paperfs/([a-z]+)`).FindAllStringSubmatch(text, -1) {
			assert.Contains(t, names, named[1], file)
		}
	}
}

// TestDocumentsNameOperations checks that each operation of the interface document appears with its
// gesture, and that everything called an operation is one.
func TestDocumentsNameOperations(t *testing.T) {
	t.Parallel()
	text := documents(t)["topic/requests.md"]
	for _, op := range remote.Operations {
		assert.True(t, op.Extended || strings.Contains(text, op.Name), op.Name)
	}
	for _, named := range regexp.MustCompile(`(?m)\| ((?:[A-Z][A-Za-z]+, )*[A-Z]\w+)[^|]*\|$`).FindAllStringSubmatch(text, -1) {
		for name := range strings.SplitSeq(named[1], ", ") {
			assert.True(t, slices.ContainsFunc(remote.Operations, func(op *remote.Operation) bool { return op.Name == name }), name)
		}
	}
}

// TestDocumentsNameVariablesThatAreRead checks the environment variables. Each setting has one.
func TestDocumentsNameVariablesThatAreRead(t *testing.T) {
	t.Parallel()
	source, known := programSource(t), []string{"PAPERFS_", "PAPERFS_TEST"} // that of package testrun
	known = append(known, config.VariableOf(profile.PasswordKey))
	config.VisitSettings(mount.NewCommand(config.New(), "").Flags(), func(f *pflag.Flag) { known = append(known, config.VariableOf(f.Name)) })
	for file, text := range documents(t) {
		for _, named := range regexp.MustCompile(`PAPERFS_[A-Z_]+`).FindAllString(text, -1) {
			assert.True(t, slices.Contains(known, named) || strings.Contains(source, `Getenv("`+named+`")`), "%s: %s", file, named)
		}
	}
}

// programSource returns the source of this command, without its tests.
func programSource(t *testing.T) string {
	var source strings.Builder
	names := testrun.Must(filepath.Glob("*.go"))(t)
	below := testrun.Must(filepath.Glob("*/*.go"))(t)
	for _, name := range append(names, below...) {
		if text, err := os.ReadFile(name); assert.NoError(t, err) && !strings.HasSuffix(name, "_test.go") {
			source.Write(text)
		}
	}
	return source.String()
}
