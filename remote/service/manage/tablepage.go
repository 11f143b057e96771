package manage

import (
	"cmp"
	"net/http"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/processing"
	"paperfs/remote/service/property"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// mostRows is how many papers a table has.
const mostRows = 2000

// table is what the page shows without scripts: a category, or a paper.
type table struct {
	*visit
	node  store.Node   // with its version
	up    []store.Node // from the node upwards, with it
	below []store.Node
	// of a node that an editor looks at
	values   property.Values
	versions []store.Kept // PDFs of the paper
}

// showTable answers with the table of a category, or with the forms of a paper.
func (v *visit) showTable() {
	id := v.caller.Tenant.Root
	if named := v.r.URL.Query().Get("node"); named != "" {
		id, _ = rules.ID(named)
	}
	t := table{visit: v}
	var public string
	if !v.read(func(tx store.Reader) (err error) {
		if err = t.look(tx, id); err == nil {
			public, err = v.public(tx, address.Path(v.caller.Tenant, t.up))
		}
		return err
	}) {
		return
	}
	var crumbs view.Markup
	for i := len(t.up) - 1; i > 0; i-- {
		crumbs.Line(`<a href="{}">{}</a> ›`, tableOf(t.up[i].ID), t.up[i].Name)
	}
	body := t.category
	if t.node.Kind == remote.PaperNode {
		body = func() view.HTML { return t.paper(public) }
	}
	v.show(http.StatusOK, t.node.Name, "", v.form("table", v.bar(), view.HTML(crumbs), t.node.Name, body()))
}

func (t *table) look(tx store.Reader, id int64) (err error) {
	t.below, t.versions = nil, nil
	if t.node, err = tx.Node(t.caller.Tenant.ID, id); err != nil {
		return err
	}
	if t.up, err = tx.Ancestors(id); err != nil {
		return err
	}
	if t.values, err = property.ValuesOf(tx, t.node); err != nil {
		return err
	}
	kept, err := tx.Entries(t.caller.Tenant.ID, time.Unix(0, 0), mostRows)
	for _, k := range kept {
		if k.Kind == store.KeptPDF && k.File.ID == id {
			t.versions = append(t.versions, k)
		}
	}
	if err != nil {
		return err
	}
	return tx.WalkVersions(id, func(n store.Node, depth int) error {
		if depth == 0 {
			t.node.Edition, t.node.Pages = n.Edition, n.Pages
			return nil
		}
		if len(t.below) == mostRows {
			return store.Leave(0)
		}
		if t.below = append(t.below, n); n.Kind == remote.CategoryNode {
			return store.Leave(depth)
		}
		return nil
	})
}

// tableOf is the address of the table of a node.
func tableOf(node int64) string { return "table?node=" + number(node) }

// state says who sees a paper.
func (t *table) state(n store.Node) view.HTML {
	switch now := t.Now(); {
	case n.NotPublic:
		return view.Form(`{}`, t.words["notPublic"])
	case n.Period.IsZero():
		return view.Form(`{}`, t.words["public"])
	case now.Before(n.Period.To):
		return view.Form(`{} – {}`, moment(n.Period.From), moment(n.Period.To))
	}
	return view.Form(`{} {}`, t.words["over"], moment(n.Period.To))
}

func (t *table) category() (body view.HTML) {
	var rows view.Markup
	for _, n := range t.below {
		var pages, state view.HTML
		if n.Kind == remote.PaperNode {
			pages, state = view.Form(`{}`, n.Pages), t.state(n)
		}
		rows.Line(`<tr><td><a href="{}">{}</a><td>{}/<td>{}<td>{}</tr>`, tableOf(n.ID), n.Name, n.URLName, pages, state)
	}
	body = t.form("category", view.HTML(rows))
	if id, back := number(t.node.ID), t.hidden("back", tableOf(t.node.ID)); t.caller.Account.Role >= remote.Editor {
		body += t.form("newpaper", back, id, processing.WithLinks, back, id) + t.settings()
	}
	return body
}

// settings are those of the node.
func (t *table) settings() view.HTML {
	var rows, options view.Markup
	for _, s := range property.Settings {
		name, own := cmp.Or(t.words["set-"+s.Name], s.Description), t.values.Own[s.Name]
		rows.Line(`<tr><td>{}<td>{}<td>{}</tr>`, name, own, t.values.Inherited[s.Name])
		options.Add(`<option value="{}">{}</option>`, s.Name, name)
	}
	return t.form("settings", view.HTML(rows), t.hidden("back", tableOf(t.node.ID), "paperID", number(t.node.ID), "ifVersion", number(t.node.Version)), view.HTML(options))
}

func (t *table) paper(public string) view.HTML {
	n, id := t.node, number(t.node.ID)
	about := t.form("paper", view.Address(public), public, t.state(n), n.Pages, view.Address(public+address.StatisticsFile+t.Images.Statistics(n.ID)))
	if t.caller.Account.Role < remote.Editor {
		return about
	}
	var from, to string
	if !n.Period.IsZero() {
		from, to = n.Period.From.UTC().Format("2006-01-02T15:04"), n.Period.To.UTC().Format("2006-01-02T15:04")
	}
	value, does := "true", t.words["publish"]
	if !n.NotPublic {
		value, does = "false", t.words["hide"]
	}
	var versions view.HTML
	for _, k := range t.versions {
		versions += t.form("version", t.hidden("back", tableOf(n.ID), "entryID", number(k.ID)), moment(k.By.At), k.By.Account, rules.KB(k.Size))
	}
	known := t.hidden("back", tableOf(n.ID), "paperID", id, "ifVersion", number(n.Version))
	return about + t.form("edit", known, value, does, known, n.Name, known, n.URLName, known, from, to, known,
		t.hidden("back", tableOf(n.ID), "paperID", id, "ifVersion", number(n.Edition)), processing.WithLinks,
		known, number(n.Parent), t.hidden(), id, versions, t.hidden("back", tableOf(n.Parent), "paperID", id, "ifVersion", number(n.Version))) + t.settings()
}
