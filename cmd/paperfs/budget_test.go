package main

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The budget of the house is what it has reached, rounded up. A change that needs more takes it from elsewhere in
// the area. Raising a figure needs a commit of its own, which says why; lowering one needs no reason.

// mostLines are the code lines of each area: lines with a Go token, without tests.
var mostLines = map[string]int{
	"cmd/paperfs": 10_433, "cmd/paperfs-bench": 1_940, "fs": 11_274, "cache": 20_420, "remote": 7_535, "remote/service": 35_820,
}

const (
	mostPackages    = 91     // without those that have only tests
	mostFiles       = 54     // beside each other in a folder, without tests
	mostInService   = 30     // the same of remote/service
	mostFolders     = 25     // of remote/service
	mostOfAFunction = 60     // lines
	mostOfADoc      = 150    // lines of a doc.go
	mostWords       = 12_000 // of the help topics, without comments, bars and the like
)

const serviceFolder = "remote/service"

// longer has the lines of the functions that are longer than mostOfAFunction.
var longer = map[string]int{
	"cache/media/remove.go Unlink": 94, "cache/media/publish.go publish": 64, "cache/media/finalize.go finalizeUnderNameLock": 61,
	"remote/service/paper.go movePaper": 63,
}

// TestTheHouseIsNoLargerThanItsBudget holds the figures above.
func TestTheHouseIsNoLargerThanItsBudget(t *testing.T) {
	t.Parallel()
	house := os.DirFS("../..")
	lines, packages, files := map[string]int{}, map[string]bool{}, map[string]int{}
	require.NoError(t, fs.WalkDir(house, ".", func(file string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && file != "." && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata"):
			return fs.SkipDir
		case e.IsDir() || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		files[path.Dir(file)]++
		if path.Ext(file) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(house, file)
		lines[areaOf(file)] += codeLines(text)
		packages[path.Dir(file)] = true
		checkFile(t, file, text)
		return err
	}))
	for area, n := range lines {
		assert.LessOrEqual(t, n, mostLines[area], "code lines of %s", area)
	}
	require.Len(t, lines, len(mostLines), "each area of the budget is there")
	assert.LessOrEqual(t, len(packages), mostPackages)
	folders := 0
	for folder, n := range files {
		assert.LessOrEqual(t, n, mostFiles, folder)
		if path.Dir(folder) == serviceFolder {
			folders++
		}
	}
	assert.LessOrEqual(t, files[serviceFolder], mostInService, serviceFolder)
	assert.LessOrEqual(t, folders, mostFolders, "folders of %s", serviceFolder)
	words := 0
	for file, text := range documents(t) {
		if file != readmeFile {
			words += wordsOf(text)
		}
	}
	assert.LessOrEqual(t, words, mostWords, "words of the help topics")
}

// wordsOf counts what has a letter or a digit.
func wordsOf(document string) (n int) {
	for word := range strings.FieldsSeq(topicComment().ReplaceAllString(document, "")) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

// areaOf returns the longest area of the budget that a file is in, or else its top folder.
func areaOf(file string) string {
	dir := path.Dir(file)
	for mostLines[dir] == 0 && strings.Contains(dir, "/") {
		dir = path.Dir(dir)
	}
	return dir
}

// codeLines counts the lines with a Go token.
func codeLines(text []byte) int {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	found := map[int]bool{}
	for {
		at, tok, literal := s.Scan()
		if tok == token.EOF {
			return len(found)
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		for i := range strings.Count(literal, "\n") + 1 {
			found[file.Line(at)+i] = true
		}
	}
}

// checkFile checks the lengths of a file's functions, and that of a doc.go, and that it executes no template (size_test.go).
func checkFile(t *testing.T, file string, text []byte) {
	if path.Base(file) == "doc.go" {
		assert.LessOrEqual(t, strings.Count(string(text), "\n"), mostOfADoc, file)
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, parser.SkipObjectResolution)
	require.NoError(t, err)
	for _, i := range parsed.Imports {
		assert.NotContains(t, []string{`"text/template"`, `"html/template"`}, i.Path.Value, file)
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			name := file + " " + f.Name.Name
			assert.LessOrEqual(t, files.Position(f.End()).Line-files.Position(f.Pos()).Line+1, max(mostOfAFunction, longer[name]), name)
		}
	}
}
