package reader

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/property"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// frame returns what the pages of papers and categories have in common, and the node's
// effective settings.
func (s *Reader) frame(tx store.Reader, r *http.Request, tenant store.Tenant, node store.Node) (view.Frame, *settings, error) {
	up, err := tx.Ancestors(node.ID)
	if err != nil {
		return view.Frame{}, nil, err
	}
	conf, top := &settings{tx: tx, node: node.ID}, &up[len(up)-1]
	if err := shelfTitles(tx, up); err != nil {
		return view.Frame{}, nil, err
	}
	if top.Name == tenant.Name { // that is the operator's word, and not for readers
		top.Name = cmp.Or(conf.text("publisher"), address.Host(r.Host))
	}
	at := address.Path(tenant, up)
	f := view.Frame{Name: up[0].Name, Title: title(up), Language: conf.text("language"), Background: conf.text("backgroundColor"),
		Depth: strings.Count(at, "/") - 1, Canonical: s.Base.Public(r, tenant, at)}
	f.FromRight = conf.wishes.FromRight && !conf.isSet("language")
	for i := len(up) - 1; i > 0; i-- { // whoever sees the node sees the categories above, too
		f.Crumbs = append(f.Crumbs, view.Crumb{Name: up[i].Name, Address: strings.Repeat("../", i), URL: s.Base.Public(r, tenant, address.Path(tenant, up[i:]))})
	}
	query := r.URL.Query()
	if language, _ := property.FindSetting("language"); query.Get("ForceLanguage") != "" {
		if tag, ok := language.Accepts(query.Get("ForceLanguage")); ok {
			f.Speaks, _, _ = strings.Cut(tag, "-")
		}
	}
	f.Bare, _ = rules.Bool(query.Get("HideNavigationBars"), false)
	f.Site = cmp.Or(conf.text("publisher"), top.Name)
	if err := brand(&f, conf, tenant); err != nil {
		return f, nil, err
	}
	return f, conf, conf.err
}

// shelfTitles replaces the names of the top and of a category that is shown by the titles that the publisher set for
// them. A setting is inherited: it is not that of a category whose parent has the same.
func shelfTitles(tx store.Reader, up []store.Node) error {
	setting, _ := property.FindSetting("shelfTitle")
	of := func(i int) (title string, err error) {
		if i < len(up) {
			title, err = setting.Value(tx, up[i].ID)
		}
		return title, err
	}
	for _, i := range []int{0, len(up) - 1} {
		if up[i].Kind != remote.CategoryNode {
			continue
		}
		value, err := of(i)
		above, also := of(i + 1)
		if err := cmp.Or(err, also); err != nil {
			return err
		}
		if text, ok := setting.Accepts(value); ok && text != "" && value != above {
			up[i].Name = text
		}
	}
	return nil
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
	if guid, ok := rules.GUID(query.Get("SecurityToken")); ok {
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
