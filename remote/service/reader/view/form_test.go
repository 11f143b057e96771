package view

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// calls returns the calls of a name in the files that write markup.
func calls(t *testing.T, names ...string) (all []*ast.CallExpr) {
	t.Helper()
	for _, dir := range []string{".", "../../help"} {
		files, err := filepath.Glob(dir + "/*.go")
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || file == "markup.go" {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(parsed, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				name := ""
				switch f := call.Fun.(type) {
				case *ast.Ident:
					name = f.Name
				case *ast.SelectorExpr:
					name = f.Sel.Name
				}
				if slices.Contains(names, name) {
					all = append(all, call)
				}
				return true
			})
		}
	}
	return all
}

// literal returns the text of a literal.
func literal(t *testing.T, e ast.Expr) string {
	t.Helper()
	l, ok := e.(*ast.BasicLit)
	require.True(t, ok, "a form is a constant where it is used")
	text, err := strconv.Unquote(l.Value)
	require.NoError(t, err)
	return text
}

// TestFormsAreWhatAParserSees checks the forms of all pages: each hole has its value, and is at the place where a parser
// of HTML finds it.
func TestFormsAreWhatAParserSees(t *testing.T) {
	found := 0
	for _, call := range calls(t, "Add", "Line", "Form", "with") {
		form, values := literal(t, call.Args[0]), len(call.Args)-1
		require.Equal(t, values, strings.Count(form, "{}"), form)
		seen := placesSeen(t, form)
		require.Len(t, seen, values, form)
		from := 0
		for i := range values {
			hole := from + strings.Index(form[from:], "{}")
			from = hole + len("{}")
			at := placeOf(form[:hole])
			if at.quoted() {
				at = inAttribute
			}
			require.Equal(t, string(seen[i]), string(at), "hole %d of %s", i+1, form)
			found++
		}
	}
	require.Greater(t, found, 200)
}

// placesSeen returns the places of a form's holes as a parser of HTML sees them. A form may begin or end in a tag.
func placesSeen(t *testing.T, form string) map[int]place {
	t.Helper()
	if strings.HasPrefix(form, " ") && strings.Contains(form, "=") || strings.Contains(form, `="`) && !strings.Contains(form, "<") {
		form = "<p " + form
	}
	if strings.LastIndex(form, "<") > strings.LastIndex(form, ">") {
		form += ">"
	}
	for i := range strings.Count(form, "{}") {
		form = strings.Replace(form, "{}", fmt.Sprintf("hole%d.", i), 1)
	}
	seen := map[int]place{}
	note := func(text string, at place) {
		for i := range 40 {
			if strings.Contains(text, fmt.Sprintf("hole%d.", i)) {
				seen[i] = at
			}
		}
	}
	raw, parser := false, html.NewTokenizer(strings.NewReader(form))
	for parser.Next() != html.ErrorToken {
		token := parser.Token()
		at := inText
		if raw || token.Type != html.TextToken {
			at = inMarkup
		}
		note(token.Data, at)
		for _, a := range token.Attr {
			name, value := inMarkup, inAttribute
			if strings.HasPrefix(a.Key, "data-") {
				name = inName
			}
			if token.Attr[0].Key == "http-equiv" {
				value = inMarkup // an address may follow the time there
			}
			note(a.Key, name)
			note(a.Val, value)
		}
		raw = token.Type == html.StartTagToken && (token.Data == "script" || token.Data == "style")
	}
	return seen
}

// TestNoTextBecomesMarkup checks that nothing but markup.go, and the few functions listed here, converts to HTML.
func TestNoTextBecomesMarkup(t *testing.T) {
	var all []string
	for _, call := range calls(t, "HTML") {
		if _, constant := call.Args[0].(*ast.BasicLit); constant {
			continue
		}
		var text strings.Builder
		require.NoError(t, printer.Fprint(&text, token.NewFileSet(), call))
		all = append(all, text.String())
	}
	require.ElementsMatch(t, []string{
		`HTML("\n<style>" + style + "</style>")`, // Frame.Style has only colours
		`HTML(m)`,                                // a Markup
	}, all)
}
