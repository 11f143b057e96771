package media

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUploadsAreWhereTheTableSays checks that the functions that request and complete uploads
// are those in the table of doc.go, and that no others send anything that the service stores.
func TestUploadsAreWhereTheTableSays(t *testing.T) {
	t.Parallel()
	callers := callersOf(t, "upload", "UploadFor", "RecordUploadLocked", "uploadTo", "uploadOnce", "endEarly", "UploadFile", "CreateDirectory", "RecordSentLocked", "RecordVersionLocked")
	asked, ended := map[string]bool{}, map[string]bool{}
	for _, row := range tableRows(t, "upload", "asked-by", "waits", "stopped-by", "ended-by", "noted-by", "then") {
		asked[row[1]] = true
		for name := range strings.SplitSeq(row[4], "+") {
			ended[name] = true
		}
	}
	require.Equal(t, []string{"UploadFor", "UploadSeen"}, callers["upload"])
	require.Equal(t, slices.Sorted(maps.Keys(asked)), slices.Sorted(slices.Values(append(callers["UploadFor"], "UploadSeen"))))
	require.Equal(t, slices.Sorted(maps.Keys(ended)), callers["RecordUploadLocked"])
	require.Equal(t, []string{"RecordUploadLocked", "SentPDF"}, callers["RecordSentLocked"])
	require.Equal(t, []string{"sendEarly", "uploadOnce"}, callers["UploadFile"])
	for called, by := range map[string]string{"uploadTo": "upload", "uploadOnce": "uploadTo", "endEarly": "uploadOnce",
		"CreateDirectory": "CreateDir", "RecordVersionLocked": "RecordUploadLocked"} {
		require.Equal(t, []string{by}, callers[called], called)
	}
}

// callersOf returns the functions of the packages below that call methods with the given names.
func callersOf(t *testing.T, names ...string) map[string][]string {
	files, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	callers := make(map[string][]string)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		for _, d := range f.Decls {
			in, is := d.(*ast.FuncDecl)
			if !is {
				continue
			}
			ast.Inspect(in, func(n ast.Node) bool {
				if call, is := n.(*ast.CallExpr); is {
					if method, is := call.Fun.(*ast.SelectorExpr); is && slices.Contains(names, method.Sel.Name) {
						callers[method.Sel.Name] = append(callers[method.Sel.Name], in.Name.Name)
					}
				}
				return true
			})
		}
	}
	for name := range callers {
		slices.Sort(callers[name])
		callers[name] = slices.Compact(callers[name])
	}
	return callers
}
