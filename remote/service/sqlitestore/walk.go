package sqlitestore

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

// These read the index node_order alone; filledInOrder also looks for the last page of each paper and whether it is public, and
// versionsInOrder reads the node and its edition, too. For that, the expression must be the same as in
// the index.
const (
	childrenInOrder = `SELECT ` + packedNode + ordered
	filledInOrder   = `SELECT 'v0/0/' || ` + lastPage + ` || '/' || ` + records.NotPublic + ` || '/' || (` + packedNode + `)` + ordered
	versionsInOrder = `SELECT 'v' || version || '/' || coalesce((SELECT number FROM edition WHERE edition.node = node.id), 0) || '/' || ` + lastPage + ` || '/' || ` + records.NotPublic + ` || '/' || (` + packedNode + `)` + ordered

	lastPage = `coalesce((SELECT max(number) FROM page WHERE page.node = node.id), 0)`

	packedNode = `kind || '/' || id || '/' || url_name || '/' || coalesce(period_from || '-' || period_to, '') || '/' || name`
	ordered    = ` FROM node INDEXED BY node_order WHERE parent = ? ORDER BY kind, folded_name, id`
)

// Walk implements store.NodeReader. It holds one open row per depth: categories sort before
// papers, so Walk descends into a category while the remaining rows of its parent wait.
func (t *tx) Walk(id int64, visit func(store.Node, int) error) error {
	return t.walk(id, math.MaxInt, childrenInOrder, visit)
}

func (t *tx) WalkVersions(id int64, visit func(store.Node, int) error) error {
	return t.walk(id, math.MaxInt, versionsInOrder, visit)
}

func (t *tx) WalkFilled(id int64, most int, visit func(store.Node, int) error) error {
	return t.walk(id, most, filledInOrder, visit)
}

func (t *tx) walk(id int64, most int, children string, visit func(store.Node, int) error) error {
	top, err := t.FindNode(`SELECT `+records.NodeColumns+` FROM node WHERE id = ?`, id)
	if err == nil && children == versionsInOrder {
		if top.Edition, err = t.Edition(id); err == nil {
			top.Pages, err = t.PageCount(id)
		}
	}
	if err == store.ErrNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	// With a cancelable context the driver would check it for every row.
	w := walk{tx: t, ctx: context.WithoutCancel(t.ctx), tenant: top.Tenant, query: children, left: most, visit: visit}
	defer w.close()
	if err := w.node(top, 0); err != store.Leave(0) {
		return err
	}
	return nil
}

// walk is the state of one walk through a tree.
type walk struct {
	*tx
	ctx    context.Context
	tenant int64
	query  string // of the children of a node
	left   int    // how many nodes may still be visited
	visit  func(n store.Node, depth int) error
	// children are the statements for the children of a node, by the node's depth: a statement
	// cannot run for another node while its rows are being read.
	children []*sql.Stmt
}

func (w *walk) close() {
	for _, s := range w.children {
		_ = s.Close() // it was only read
	}
}

func (w *walk) node(n store.Node, depth int) error {
	if err := w.tx.ctx.Err(); err != nil {
		return err
	}
	if w.left == 0 {
		return store.Leave(0)
	}
	w.left--
	w.visiting = true
	err := w.visit(n, depth)
	w.visiting = false
	if err != nil || n.Kind != remote.CategoryNode {
		return err
	}
	return w.below(n.ID, depth)
}

// below visits the descendants of a category.
func (w *walk) below(category int64, depth int) error {
	if depth == len(w.children) {
		s, err := w.PrepareContext(w.ctx, w.query)
		if err != nil {
			return translate(err)
		}
		w.children = append(w.children, s)
	}
	rows, err := w.children[depth].QueryContext(w.ctx, category)
	if err != nil {
		return translate(err)
	}
	defer rows.Close()
	var packed string
	for rows.Next() {
		if err := rows.Scan(&packed); err != nil {
			return translate(err)
		}
		n, err := unpack(packed)
		if err != nil {
			return err
		}
		n.Tenant, n.Parent = w.tenant, category
		if err := w.node(n, depth+1); err != nil && err != store.Leave(depth+1) {
			return err
		}
	}
	return translate(rows.Err())
}

// unpack parses the text of one of the queries. Url names contain no slash.
func unpack(packed string) (n store.Node, err error) {
	if rest, has := strings.CutPrefix(packed, "v"); has {
		version, rest, _ := strings.Cut(rest, "/")
		edition, rest, _ := strings.Cut(rest, "/")
		pages, rest, _ := strings.Cut(rest, "/")
		hidden, rest, _ := strings.Cut(rest, "/")
		if n, err = unpack(rest); err == nil {
			n.NotPublic = hidden == "1"
			n.Version, err = strconv.ParseInt(version, 10, 64)
		}
		if err == nil {
			n.Edition, err = strconv.ParseInt(edition, 10, 64)
		}
		if err == nil {
			n.Pages, err = strconv.Atoi(pages)
		}
		return n, err
	}
	kind, rest, _ := strings.Cut(packed, "/")
	id, rest, _ := strings.Cut(rest, "/")
	urlName, rest, _ := strings.Cut(rest, "/")
	period, name, found := strings.Cut(rest, "/")
	n = store.Node{Kind: remote.PaperNode, Name: name, URLName: urlName}
	if kind == "1" {
		n.Kind = remote.CategoryNode
	}
	if n.ID, err = strconv.ParseInt(id, 10, 64); err == nil && period != "" {
		n.Period, err = unpackPeriod(period)
	}
	if err != nil || !found {
		return n, fmt.Errorf("a node cannot be read: %q", packed)
	}
	return n, nil
}

// unpackPeriod parses seconds since 1970: two numbers, which may be negative, separated by a -.
func unpackPeriod(s string) (p remote.Period, err error) {
	middle := 1 + strings.IndexByte(s[1:], '-')
	from, err := strconv.ParseInt(s[:middle], 10, 64)
	if err != nil {
		return p, err
	}
	to, err := strconv.ParseInt(s[middle+1:], 10, 64)
	return remote.Period{From: time.Unix(from, 0).UTC(), To: time.Unix(to, 0).UTC()}, err
}
