package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// hooked is a tenant with a webhook, and nodes by name.
type hooked struct {
	t      *testing.T
	s      store.Store
	tenant store.Tenant
	hook   int64
	ids    map[string]int64
}

func (h *hooked) change(f func(tx store.Writer) error) {
	h.t.Helper()
	require.NoError(h.t, h.s.Write(h.t.Context(), h.tenant.ID, f))
}

// node adds a category or, at a time at which its PDF comes, a paper.
func (h *hooked) node(parent, name string, pdf time.Time) {
	n := store.Node{Tenant: h.tenant.ID, Parent: h.ids[parent], Kind: remote.CategoryNode, Name: name, URLName: name}
	h.change(func(tx store.Writer) (err error) {
		if !pdf.IsZero() {
			n.Kind = remote.PaperNode
		}
		if h.ids[name], err = tx.AddNode(n); err == nil && !pdf.IsZero() {
			err = tx.SetProcessing(h.ids[name], store.Processing{At: pdf})
		}
		return err
	})
}

// set returns a change of a node.
func (h *hooked) set(name string, change func(n *store.Node)) func(tx store.Writer) error {
	return func(tx store.Writer) error {
		n, err := tx.Node(h.tenant.ID, h.ids[name])
		if err == nil {
			change(&n)
			_, err = tx.SetNode(n)
		}
		return err
	}
}

func (h *hooked) public(name, value string) func(tx store.Writer) error {
	return func(tx store.Writer) error { return tx.SetSetting(h.ids[name], store.PublicSetting, value) }
}

func (h *hooked) move(name, to string) func(tx store.Writer) error {
	return h.set(name, func(n *store.Node) { n.Parent = h.ids[to] })
}

// told returns which papers were published and unpublished since the last call, sorted.
func (h *hooked) told() (all []string) {
	h.change(func(tx store.Writer) error {
		w, err := tx.Webhook(h.hook)
		require.NoError(h.t, err)
		log, err := tx.LogNotices(w, w.Mark, 1000)
		require.NoError(h.t, err)
		for name, id := range h.ids {
			for _, n := range log {
				if n.Node == id && (n.Event == store.HookPublished || n.Event == store.HookUnpublished) {
					all = append(all, fmt.Sprint(n.Event, " ", name))
				}
			}
		}
		last, err := tx.LastEvent(h.tenant.ID)
		require.NoError(h.t, err)
		return tx.MoveMark(w, last)
	})
	slices.Sort(all)
	return all
}

// whatIsNotPublicIsTold checks the rows that the log of changes gets for webhooks when the setting public hides a category of papers, and
// shows it again, and when a paper changes or moves meanwhile.
func whatIsNotPublicIsTold(t *testing.T, open Open) {
	s, now := open(t), time.Unix(1_900_000_000, 0).UTC()
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	a := tenantNamed(t, s, "a")
	h := &hooked{t: t, s: s, tenant: a, ids: map[string]int64{"root": a.Root}}
	h.change(func(tx store.Writer) (err error) {
		h.hook, err = tx.AddWebhook(store.Webhook{Tenant: a.ID, URL: "https://a.example", Events: store.HookEvents}, now)
		return err
	})
	for _, n := range [][2]string{{"root", "garden"}, {"garden", "beds"}, {"root", "other"}} {
		h.node(n[0], n[1], time.Time{})
	}
	for _, n := range [][2]string{{"garden", "rake"}, {"garden", "later"}, {"beds", "hoe"}, {"beds", "own"}, {"other", "apart"}} {
		h.node(n[0], n[1], now)
	}
	between := func(from, to time.Duration) func(*store.Node) {
		return func(n *store.Node) { n.Period = remote.Period{From: now.Add(from), To: now.Add(to)} }
	}
	h.change(h.set("later", between(time.Hour, 2*time.Hour)))
	h.change(h.public("own", "true"))
	h.told()
	for _, step := range []struct {
		what string
		do   func(tx store.Writer) error
		want []string
	}{
		{"a category is hidden", h.public("garden", "false"), []string{"unpublished hoe", "unpublished rake"}},
		{"again", h.public("garden", "false"), nil},
		{"what it has below says so itself", h.public("beds", "false"), nil},
		{"a paper leaves it", h.move("rake", "other"), []string{"published rake"}},
		{"a paper comes to it", h.move("apart", "beds"), []string{"unpublished apart"}},
		{"its own value goes with a paper", h.move("own", "garden"), nil},
		{"a period of a hidden paper ends", h.set("hoe", between(-2*time.Hour, -time.Hour)), nil},
		{"and is cleared", h.set("hoe", func(n *store.Node) { n.Period = remote.Period{} }), nil},
		{"a period begins", func(tx store.Writer) error { return tx.TellPeriods(a.ID, now.Add(90*time.Minute)) }, nil},
		{"the category is shown", h.public("garden", "true"), []string{"published later"}},
		{"a period ends", func(tx store.Writer) error { return tx.TellPeriods(a.ID, now.Add(3*time.Hour)) }, []string{"unpublished later"}},
		{"a hidden paper is deleted", func(tx store.Writer) error { return tx.KeepNode(h.ids["apart"], store.By{At: now}) }, nil},
		{"a category is moved", h.move("beds", "other"), nil},
		{"all of it is shown", h.public("beds", "true"), []string{"published hoe"}},
		{"the paper comes back elsewhere", func(tx store.Writer) error {
			_, err := tx.ReturnNode(store.Node{ID: h.ids["apart"], Tenant: a.ID, Parent: h.ids["beds"], Kind: remote.PaperNode, Name: "apart", URLName: "apart"})
			return err
		}, []string{"published apart"}},
		{"and goes for good", func(tx store.Writer) error { return tx.DeleteNode(h.ids["apart"]) }, []string{"unpublished apart"}},
		{"another one is hidden", h.public("hoe", "false"), []string{"unpublished hoe"}},
		{"and goes for good", func(tx store.Writer) error { return tx.DeleteNode(h.ids["hoe"]) }, nil},
	} {
		h.change(step.do)
		require.Equal(t, step.want, h.told(), step.what)
	}
}
