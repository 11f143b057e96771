package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// knots are today's packages with more than three files that call each other in a circle, with how many do. Who changes a file
// of a circle has to know all of them. The list may only shrink: a package is made of files, or of packages, that call each other
// in one direction, as cache/content/reading.
var knots = map[string]int{
	"cache/state": 6, "cmd/paperfs-bench": 4, "fs/mountpoint": 4, "remote": 7, "remote/ratelimit": 4,
	"remote/service/filestore": 5, "remote/service/kit/storetest": 6, "remote/service/processing": 7, "remote/service/sqlitestore": 6,
}

// TestFilesCallEachOtherInOneDirection looks at the functions and methods that the files of each package call or use.
func TestFilesCallEachOtherInOneDirection(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-C", "../..", "-export", "-deps", "-f", `{{.ImportPath}} {{.Export}} {{.Dir}} {{join .GoFiles " "}}`, "./...").Output()
	require.NoError(t, err)
	exports, files, found := map[string]string{}, token.NewFileSet(), map[string]int{}
	imports := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for line := range strings.Lines(string(out)) { // a package after those that it imports
		path, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		export, rest, _ := strings.Cut(rest, " ")
		dir, names, _ := strings.Cut(rest, " ")
		exports[path] = export
		if path, ours := strings.CutPrefix(path, "paperfs/"); ours {
			circle := knot(callsBetween(t, files, imports, dir, strings.Fields(names)))
			if len(circle) > 3 {
				found[path] = len(circle)
			}
			if len(circle) > max(3, knots[path]) {
				t.Logf("these files of %s call each other in a circle: %s", path, strings.Join(circle, ", "))
			}
		}
	}
	require.Equal(t, knots, found, "a package's circle has grown: move what closes it; or it has shrunk: correct the list")
}

// callsBetween returns which files of a package use functions and methods of which others.
func callsBetween(t *testing.T, files *token.FileSet, imports types.Importer, dir string, names []string) map[string]map[string]bool {
	var parsed []*ast.File
	for _, name := range names {
		f := testrun.Must(parser.ParseFile(files, filepath.Join(dir, name), nil, parser.SkipObjectResolution))(t)
		parsed = append(parsed, f)
	}
	uses := map[*ast.Ident]types.Object{}
	pkg := testrun.Must((&types.Config{Importer: imports}).Check(dir, files, parsed, &types.Info{Uses: uses}))(t)
	calls := map[string]map[string]bool{}
	for at, used := range uses {
		f, is := used.(*types.Func)
		if !is || f.Pkg() != pkg {
			continue
		}
		if method := f.Signature().Recv(); method != nil && types.IsInterface(method.Type()) {
			continue // who is called is not in this file
		}
		from, to := files.Position(at.Pos()).Filename, files.Position(f.Origin().Pos()).Filename
		if calls[from] == nil {
			calls[from] = map[string]bool{}
		}
		calls[from][to] = true
	}
	return calls
}

// knot returns the files of the largest circle.
func knot(calls map[string]map[string]bool) (most []string) {
	reached := map[string]map[string]bool{}
	var reach func(met map[string]bool, from string)
	reach = func(met map[string]bool, from string) {
		for to := range calls[from] {
			if !met[to] {
				met[to] = true
				reach(met, to)
			}
		}
	}
	for from := range calls {
		reached[from] = map[string]bool{}
		reach(reached[from], from)
	}
	for from := range calls {
		var circle []string
		for to := range calls {
			if reached[from][to] && reached[to][from] {
				circle = append(circle, filepath.Base(to))
			}
		}
		if len(circle) > len(most) {
			most = circle
		}
	}
	slices.Sort(most)
	return most
}
