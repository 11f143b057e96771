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
	"paperfs/remote/service/value"
)

// frame returns what the pages of papers and categories have in common, and the node's
// effective settings.
func (s *Reader) frame(tx store.Reader, r *http.Request, tenant store.Tenant, node store.Node) (view.Frame, *settings, error) {
	up, err := tx.Ancestors(node.ID)
	if err != nil {
		return view.Frame{}, nil, err
	}
	at := address.Path(tenant, up)
	conf := &settings{tx: tx, node: node.ID}
	f := view.Frame{Name: node.Name, Title: title(up), Language: conf.text("language"), Background: conf.text("backgroundColor"),
		Depth: strings.Count(at, "/") - 1, Canonical: s.Base.Public(r, tenant, at)}
	query := r.URL.Query()
	if language, _ := property.FindSetting("language"); query.Get("ForceLanguage") != "" {
		if tag, ok := language.Accepts(query.Get("ForceLanguage")); ok {
			f.Speaks, _, _ = strings.Cut(tag, "-")
		}
	}
	f.Bare, _ = rules.Bool(query.Get("HideNavigationBars"), false)
	return f, conf, conf.err
}

// title is a node's name for use out of context: window titles, bookmarks, search engines.
// Imports name a node after the end of its address, and many nodes may share such a name, so
// title adds the names of the categories above.
func title(up []store.Node) string {
	title := up[0].Name
	if !rules.Same(title, up[0].URLName) {
		return title
	}
	for _, category := range up[1:max(1, len(up)-1)] { // the last is the root
		title += " – " + category.Name
	}
	return title
}

// readerQuery returns the query for links that stay in the reader: the preview token and the
// display parameters. It is built from the frame, not from the request's query, to keep
// it short: every link to another part has it.
func readerQuery(query url.Values, f view.Frame) string {
	keep := url.Values{}
	if guid, ok := value.GUID(query.Get("SecurityToken")); ok {
		keep.Set("SecurityToken", guid)
	}
	if f.Speaks != "" {
		keep.Set("ForceLanguage", f.Speaks)
	}
	if f.Bare {
		keep.Set("HideNavigationBars", "true")
	}
	if len(keep) == 0 {
		return ""
	}
	return "?" + keep.Encode()
}

func escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// number returns the page number in a parameter, from 1. It returns 1 if there is none.
func number(query url.Values, parameter string) int {
	n, err := strconv.ParseInt(query.Get(parameter), 10, 32)
	if err != nil || n < 1 {
		return 1
	}
	return int(n)
}
