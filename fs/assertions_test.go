package fs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// operations are the methods that go-fuse finds by type assertion: one with
// the wrong signature compiles and is never called.
var operations = map[string]bool{"Getattr": true, "Setattr": true, "Lookup": true, "Mkdir": true, "Mknod": true, "Create": true,
	"Symlink": true, "Link": true, "Unlink": true, "Rmdir": true, "Rename": true, "Open": true, "Opendir": true, "OpendirHandle": true,
	"Readdir": true, "Readlink": true, "Read": true, "Write": true, "Flush": true, "Fsync": true, "Release": true, "Getxattr": true,
	"Setxattr": true, "Listxattr": true, "Removexattr": true, "Statfs": true, "OnAdd": true, "OnForget": true, "Readdirent": true,
	"Seekdir": true, "Allocate": true, "Lseek": true, "Ioctl": true}

// TestNodesAssertTheirInterfaces checks that every method that go-fuse looks for has an assertion
// for its own receiver type: `var _ gofs.NodeX = (*T)(nil)`
func TestNodesAssertTheirInterfaces(t *testing.T) {
	t.Parallel()
	methods, asserted := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			collect(filepath.Dir(path), decl, methods, asserted)
		}
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, asserted)
	for method := range methods {
		assert.True(t, asserted[method], "%s has no assertion next to its type", method)
	}
}

func collect(dir string, decl ast.Decl, methods, asserted map[string]bool) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || !operations[d.Name.Name] || !isNodeMethod(d) {
			return
		}
		if star, ok := d.Recv.List[0].Type.(*ast.StarExpr); ok {
			methods[dir+" "+star.X.(*ast.Ident).Name+" "+d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			value, ok := spec.(*ast.ValueSpec)
			if !ok || len(value.Names) != 1 || value.Names[0].Name != "_" || len(value.Values) != 1 {
				continue
			}
			iface, ok := value.Type.(*ast.SelectorExpr)
			call, isCall := value.Values[0].(*ast.CallExpr)
			if !ok || !isCall {
				continue
			}
			star, ok := call.Fun.(*ast.ParenExpr)
			if !ok {
				continue
			}
			typ := star.X.(*ast.StarExpr).X.(*ast.Ident).Name
			asserted[dir+" "+typ+" "+operationOf(iface.Sel.Name)] = true
		}
	}
}

// isNodeMethod distinguishes the kernel's methods from namesakes: they take a context.
func isNodeMethod(d *ast.FuncDecl) bool {
	if len(d.Type.Params.List) == 0 {
		return d.Name.Name == "OnForget"
	}
	sel, ok := d.Type.Params.List[0].Type.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Context"
}

// operationOf returns the method of a go-fuse interface: NodeLookuper has Lookup.
func operationOf(iface string) string {
	name := strings.TrimPrefix(strings.TrimPrefix(iface, "Node"), "File")
	switch name {
	case "OpendirHandler":
		return "OpendirHandle"
	case "OnForgetter":
		return "OnForget"
	case "OnAdder":
		return "OnAdd"
	case "Creater":
		return "Create"
	case "Releaser":
		return "Release"
	case "Renamer":
		return "Rename"
	case "Readdirenter":
		return "Readdirent"
	case "Seekdirer":
		return "Seekdir"
	case "Writer":
		return "Write"
	case "Allocater":
		return "Allocate"
	case "Statfser":
		return "Statfs"
	case "Lseeker":
		return "Lseek"
	}
	return strings.TrimSuffix(name, "er")
}
