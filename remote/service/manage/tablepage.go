package manage

import (
	"net/http"
	"strings"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/processing"
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
	more  bool // there is more below
}

// showTable answers with the table of a category, or with the forms of a paper.
func (v *visit) showTable() {
	id := v.caller.Tenant.Root
	if named := v.r.URL.Query().Get("node"); named != "" {
		id, _ = rules.ID(named)
	}
	t := table{visit: v}
	err := v.Store.Read(v.r.Context(), func(tx store.Reader) error { return t.read(tx, id) })
	switch {
	case store.IsNotFound(err):
		v.refuse(http.StatusNotFound, v.words["gone"])
	case err != nil:
		v.failed(err)
	case t.node.Kind == remote.PaperNode:
		t.show(t.paper())
	default:
		t.show(t.category())
	}
}

func (t *table) read(tx store.Reader, id int64) (err error) {
	t.below = nil
	if t.node, err = tx.Node(t.caller.Tenant.ID, id); err != nil {
		return err
	}
	if t.up, err = tx.Ancestors(id); err != nil {
		return err
	}
	return tx.WalkVersions(id, func(n store.Node, depth int) error {
		switch {
		case depth == 0:
			t.node.Edition, t.node.Pages = n.Edition, n.Pages
			return nil
		case len(t.below) == mostRows:
			t.more = true
			return store.Leave(0)
		}
		t.below = append(t.below, n)
		if n.Kind == remote.CategoryNode {
			return store.Leave(depth)
		}
		return nil
	})
}

func (t *table) show(body view.HTML) {
	var crumbs view.Markup
	for i := len(t.up) - 1; i > 0; i-- {
		crumbs.Line(`<a href="{}">{}</a> ›`, t.of(t.up[i].ID), t.up[i].Name)
	}
	t.visit.show(http.StatusOK, t.node.Name, "", view.Form(`<body class="plain">
{}
<main>
<nav>{}</nav>
<h1>{}</h1>
{}
</main>
</body>`, t.bar(), view.HTML(crumbs), t.node.Name, body))
}

// of is the address of the table of a node.
func (t *table) of(node int64) view.Address { return t.at("table?node=" + number(node)) }

// state says who sees a paper.
func (t *table) state(n store.Node) view.HTML {
	switch now := t.Now(); {
	case n.NotPublic:
		return view.Form(`{}`, t.words["notPublic"])
	case n.Period.IsZero():
		return view.Form(`{}`, t.words["public"])
	case now.Before(n.Period.From):
		return view.Form(`{} {}`, t.words["from"], moment(n.Period.From))
	case now.Before(n.Period.To):
		return view.Form(`{} {}`, t.words["publicUntil"], moment(n.Period.To))
	}
	return view.Form(`{} {}`, t.words["over"], moment(n.Period.To))
}

func (t *table) category() view.HTML {
	var rows view.Markup
	for _, n := range t.below {
		pages, state := view.HTML(""), view.HTML("")
		if n.Kind == remote.PaperNode {
			pages, state = view.Form(`{}`, n.Pages), t.state(n)
		}
		rows.Line(`<tr><td><a href="{}">{}</a><td>{}/<td>{}<td>{}</tr>`, t.of(n.ID), n.Name, n.URLName, pages, state)
	}
	more := view.HTML("")
	if t.more {
		more = view.Form(`<p>{}</p>`, t.words["more"])
	}
	var forms view.HTML
	if t.caller.Account.Role >= remote.Editor {
		id := number(t.node.ID)
		forms = t.form("Ripper/ProcessPDF", t.words["upload"], field("paperID", "")+field("xmlOptions", processing.WithLinks)+field("parentID", id)+field("draft", "true")+
			view.Form(`<label>{}<input name="name" required maxlength="255"></label>`, t.words["name"])+t.file()) +
			t.form("Paper/CreateCategory", t.words["newCategory"], field("parentID", id)+
				view.Form(`<label>{}<input name="name" required maxlength="255"></label>
<label>{}<input name="urlName" required maxlength="100"></label>`, t.words["name"], t.words["address"]))
	}
	return view.Form(`<table>
<thead><tr><th>{}<th>{}<th>{}<th>{}</tr></thead>
<tbody>{}
</tbody></table>{}
{}`, t.words["name"], t.words["address"], t.words["pages"], t.words["state"], view.HTML(rows), more, forms)
}

// form is a form of an operation. It leads back to this table.
func (t *table) form(operation view.HTML, does string, fields view.HTML) view.HTML {
	return t.formTo(t.node.ID, operation, does, fields)
}

func (t *table) formTo(back int64, operation view.HTML, does string, fields view.HTML) view.HTML {
	kind := view.HTML("")
	if strings.HasPrefix(string(operation), "Ripper") {
		kind = ` enctype="multipart/form-data"`
	}
	return view.Form(`<form class="change" method="post" action="{}"{}>
{}{}{}
<button>{}</button>
</form>
`, t.at("call/"+string(operation)), kind, t.token(), field("back", "table?node="+number(back)), fields, does)
}

func (t *table) file() view.HTML {
	return view.Form(`<label>{}<input name="base64Pdf" type="file" accept="application/pdf" required></label>`, t.words["file"])
}

func (t *table) paper() view.HTML {
	n, id := t.node, field("paperID", number(t.node.ID))
	judged := id + field("ifVersion", number(n.Version))
	public := t.Base.Public(t.r, t.caller.Tenant, address.Path(t.caller.Tenant, t.up))
	from, to := "", ""
	if !n.Period.IsZero() {
		from, to = n.Period.From.UTC().Format("2006-01-02T15:04"), n.Period.To.UTC().Format("2006-01-02T15:04")
	}
	about := view.Form(`<p><a href="{}">{}</a></p>
<p>{} · {}: {}</p>
`, view.Address(public), public, t.state(n), t.words["pages"], n.Pages)
	if t.caller.Account.Role < remote.Editor {
		return about
	}
	value, does := "true", t.words["publish"]
	if !n.NotPublic {
		value, does = "false", t.words["hide"]
	}
	return about +
		t.form("Paper/SetSetting", does, judged+field("setting", store.PublicSetting)+field("value", value)) +
		t.form("Paper/RenamePaper", t.words["rename"], judged+view.Form(`<label>{}<input name="name" value="{}" required maxlength="255"></label>`, t.words["name"], n.Name)) +
		t.form("Paper/ChangePaperUrl", t.words["changeAddress"], judged+view.Form(`<label>{}<input name="newUrl" value="{}" required maxlength="100"></label>`, t.words["address"], n.URLName)) +
		t.form("Paper/SetPublicationPeriod", t.words["setPeriod"], judged+view.Form(`<label>{} (UTC)<input name="from" type="datetime-local" value="{}" required></label>
<label>{} (UTC)<input name="to" type="datetime-local" value="{}" required></label>`, t.words["from"], from, t.words["to"], to)) +
		t.form("Paper/ClearPublicationPeriod", t.words["clearPeriod"], judged) +
		t.form("Ripper/ProcessPDF", t.words["replace"], id+field("xmlOptions", processing.WithLinks)+field("ifVersion", number(n.Edition))+t.file()) +
		t.formTo(n.Parent, "Paper/DeletePaper", t.words["delete"], judged)
}
