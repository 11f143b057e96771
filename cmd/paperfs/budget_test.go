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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// The caps of the areas are close to what the areas have reached. A change that needs more takes it from elsewhere in the
// area, or moves room from another area, in a commit of its own that says why: all areas together have mostOfTheProduct.

// mostLines are the code lines of each area of the product: lines with a Go token, without tests and kits.
var mostLines = map[string]int{
	"cmd/paperfs": 9_866, "fs": 9_420, "cache": 20_238, "remote": 7_275, "remote/service": 34_791,
}

// mostOfKits are those of test kits and of the benchmark, which are no part of the product.
var mostOfKits = map[string]int{
	"cmd/paperfs-bench": 1_360, "fs/programtest": 570, "remote/testrun": 340, "remote/service/kit": 4_950, "cache/state/statetest": 180,
}

const (
	mostOfTheProduct = 81_590
	mostFiles        = 54 // beside each other in a folder, without tests
	mostInService    = 10 // the same of remote/service
	mostOfAFunction  = 60 // lines, without those of tables in it
)

// TestTheHouseIsNoLargerThanItsBudget holds the figures above.
func TestTheHouseIsNoLargerThanItsBudget(t *testing.T) {
	t.Parallel()
	house := os.DirFS("../..")
	lines, files := map[string]int{}, map[string]int{}
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
		checkFile(t, file, text)
		return err
	}))
	together := 0
	for area, n := range lines {
		assert.LessOrEqual(t, n, mostLines[area]+mostOfKits[area], "code lines of %s", area)
		together += mostLines[area]
	}
	assert.LessOrEqual(t, together, mostOfTheProduct, "what the areas may have together")
	require.Len(t, lines, len(mostLines)+len(mostOfKits), "each area of the budget is there")
	for folder, n := range files {
		assert.LessOrEqual(t, n, mostFiles, folder)
	}
	assert.LessOrEqual(t, files["remote/service"], mostInService, "remote/service")
}

// areaOf returns the longest area of the budget that a file is in, or else its top folder.
func areaOf(file string) string {
	dir := path.Dir(file)
	for mostLines[dir]+mostOfKits[dir] == 0 && strings.Contains(dir, "/") {
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
		for i, line := range strings.Split(literal, "\n") { // an operator has no literal
			if i == 0 || strings.TrimSpace(line) != "" {
				found[file.Line(at)+i] = true
			}
		}
	}
}

// checkFile checks the lengths of a file's functions, and that it executes no template (size_test.go).
func checkFile(t *testing.T, file string, text []byte) {
	files := token.NewFileSet()
	parsed := testrun.Must(parser.ParseFile(files, file, text, parser.SkipObjectResolution))(t)
	for _, i := range parsed.Imports {
		assert.NotContains(t, []string{`"text/template"`, `"html/template"`}, i.Path.Value, file)
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			name := file + " " + f.Name.Name
			assert.LessOrEqual(t, functionLines(files, f), mostOfAFunction, name)
		}
	}
}

// functionLines counts the lines of a function. A table in it, which is a composite literal, is one line however many rows
// it has; a function in the table counts.
func functionLines(files *token.FileSet, f *ast.FuncDecl) int {
	inTable := map[int]bool{}
	mark := func(n ast.Node, is bool) {
		for line := files.Position(n.Pos()).Line + 1; line <= files.Position(n.End()).Line; line++ {
			inTable[line] = is
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CompositeLit:
			mark(n, true)
		case *ast.FuncLit:
			mark(n, false)
		}
		return true
	})
	n := 0
	for line := files.Position(f.Pos()).Line; line <= files.Position(f.End()).Line; line++ {
		if !inTable[line] {
			n++
		}
	}
	return n
}

// TestATableIsNoFunctionLine checks what is counted of a function: here six lines, of eleven.
func TestATableIsNoFunctionLine(t *testing.T) {
	t.Parallel()
	const text = `package p
func f() []row {
	a := []int{
		1,
		2,
	}
	return []row{{
		"first",
		func() {
			g(a)
		},
	}}
}`
	files := token.NewFileSet()
	parsed := testrun.Must(parser.ParseFile(files, "", text, 0))(t)
	f, ok := parsed.Decls[0].(*ast.FuncDecl)
	require.True(t, ok)
	require.Equal(t, 6, functionLines(files, f))
}
