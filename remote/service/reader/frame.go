package reader

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/property"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// frame finds what the pages of papers and categories have in common, and the
// settings that hold for the node.
func (s *Reader) frame(tx store.Reader, r *http.Request, tenant store.Tenant, node store.Node) (view.Frame, *settings, error) {
	at, err := address.Node(tx, tenant, node.ID)
	if err != nil {
		return view.Frame{}, nil, err
	}
	of := &settings{tx: tx, node: node.ID}
	f := view.Frame{Name: node.Name, Language: of.text("language"), Background: of.text("backgroundColor"),
		Depth: strings.Count(at, "/") - 1, Canonical: s.Base.Public(r, tenant, at)}
	query := r.URL.Query()
	if language, _ := property.FindSetting("language"); query.Get("ForceLanguage") != "" {
		if tag, ok := language.Accepts(query.Get("ForceLanguage")); ok {
			f.Speaks, _, _ = strings.Cut(tag, "-")
		}
	}
	f.Bare, _ = rules.Bool(query.Get("HideNavigationBars"), false)
	return f, of, of.err
}

// base is the relative address of the service's base.
func (o *opened) base() string { return strings.Repeat("../", o.view.Depth) }

func escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// number is the number that the parameter Page asks for, from 1. What is no
// number asks for the first.
func number(query url.Values) int {
	n, err := strconv.ParseInt(query.Get("Page"), 10, 32)
	if err != nil || n < 1 {
		return 1
	}
	return int(n)
}
