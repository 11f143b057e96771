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

// whatIsNotPublicIsTold checks the rows that the log of changes gets for webhooks when the setting public hides a category of papers, and
// shows it again, and when a paper changes or moves meanwhile.
func whatIsNotPublicIsTold(t *testing.T, open Open) {
	s := open(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	a, now := tenantNamed(t, s, "a"), time.Unix(1_900_000_000, 0).UTC()
	ids, names := map[string]int64{"root": a.Root}, map[int64]string{}
	var hook store.Webhook
	change := func(f func(tx store.Writer) error) {
		t.Helper()
		require.NoError(t, s.Write(t.Context(), a.ID, f))
	}
	add := func(tx store.Writer, parent, name string, kind remote.NodeKind, pages bool, p remote.Period) (err error) {
		if ids[name], err = tx.AddNode(store.Node{Tenant: a.ID, Parent: ids[parent], Kind: kind, Name: name, URLName: name, Period: p}); err == nil && pages {
			err = tx.SetProcessing(ids[name], store.Processing{At: now})
		}
		names[ids[name]] = name
		return err
	}
	never := remote.Period{From: now.Add(time.Hour), To: now.Add(2 * time.Hour)}
	change(func(tx store.Writer) (err error) {
		hook.ID, err = tx.AddWebhook(store.Webhook{Tenant: a.ID, URL: "https://a.example", Events: store.HookEvents}, now)
		require.NoError(t, err)
		for _, category := range []string{"garden", "beds", "other"} {
			require.NoError(t, add(tx, map[bool]string{true: "garden", false: "root"}[category == "beds"], category, remote.CategoryNode, false, remote.Period{}))
		}
		for name, parent := range map[string]string{"rake": "garden", "hoe": "beds", "own": "beds", "apart": "other"} {
			require.NoError(t, add(tx, parent, name, remote.PaperNode, true, remote.Period{}))
		}
		require.NoError(t, tx.SetSetting(ids["own"], store.PublicSetting, "true"))
		require.NoError(t, add(tx, "garden", "empty", remote.PaperNode, false, remote.Period{}))
		return add(tx, "garden", "later", remote.PaperNode, true, never)
	})
	told := func() (all []string) {
		t.Helper()
		change(func(tx store.Writer) error {
			w, err := tx.Webhook(hook.ID)
			require.NoError(t, err)
			log, err := tx.LogNotices(w, w.Mark, 1000)
			require.NoError(t, err)
			for _, n := range log {
				if n.Event == store.HookPublished || n.Event == store.HookUnpublished {
					all = append(all, fmt.Sprint(n.Event, " ", names[n.Node]))
				}
			}
			last, err := tx.LastEvent(a.ID)
			require.NoError(t, err)
			return tx.MoveMark(w, last)
		})
		slices.Sort(all)
		return all
	}
	told() // of the papers that were made
	public := func(name, value string) func(tx store.Writer) error {
		return func(tx store.Writer) error { return tx.SetSetting(ids[name], store.PublicSetting, value) }
	}
	move := func(name, to string) func(tx store.Writer) error {
		return func(tx store.Writer) error {
			n, err := tx.Node(a.ID, ids[name])
			require.NoError(t, err)
			n.Parent = ids[to]
			_, err = tx.SetNode(n)
			return err
		}
	}
	period := func(name string, p remote.Period) func(tx store.Writer) error {
		return func(tx store.Writer) error {
			n, err := tx.Node(a.ID, ids[name])
			require.NoError(t, err)
			n.Period = p
			_, err = tx.SetNode(n)
			return err
		}
	}
	for _, step := range []struct {
		what string
		do   func(tx store.Writer) error
		want []string
	}{
		{"a category is hidden", public("garden", "false"), []string{"unpublished hoe", "unpublished rake"}},
		{"again", public("garden", "false"), nil},
		{"what it has below says so itself", public("beds", "false"), nil},
		{"a paper leaves it", move("rake", "other"), []string{"published rake"}},
		{"a paper comes to it", move("apart", "beds"), []string{"unpublished apart"}},
		{"its own value goes with a paper", move("own", "garden"), nil},
		{"a period of a hidden paper ends", period("hoe", remote.Period{From: now.Add(-2 * time.Hour), To: now.Add(-time.Hour)}), nil},
		{"and is cleared", period("hoe", remote.Period{}), nil},
		{"a period begins", func(tx store.Writer) error { return tx.TellPeriods(a.ID, now.Add(90*time.Minute)) }, nil},
		{"a paper gets pages", func(tx store.Writer) error { return tx.SetProcessing(ids["empty"], store.Processing{At: now}) }, nil},
		{"the category is shown", public("garden", "true"), []string{"published empty", "published later"}},
		{"a period ends", func(tx store.Writer) error { return tx.TellPeriods(a.ID, now.Add(3*time.Hour)) }, []string{"unpublished later"}},
		{"a hidden paper is deleted", func(tx store.Writer) error { return tx.KeepNode(ids["apart"], store.By{At: now}) }, nil},
		{"a category is moved", move("beds", "other"), nil},
		{"all of it is shown", public("beds", "true"), []string{"published hoe"}},
		{"the paper comes back elsewhere", func(tx store.Writer) error {
			_, err := tx.ReturnNode(store.Node{ID: ids["apart"], Tenant: a.ID, Parent: ids["beds"], Kind: remote.PaperNode, Name: "apart", URLName: "apart"})
			return err
		}, []string{"published apart"}},
		{"and goes for good", func(tx store.Writer) error { return tx.DeleteNode(ids["apart"]) }, []string{"unpublished apart"}},
		{"a hidden paper goes for good", func(tx store.Writer) error {
			require.NoError(t, tx.SetSetting(ids["hoe"], store.PublicSetting, "false"))
			return tx.DeleteNode(ids["hoe"])
		}, []string{"unpublished hoe"}},
	} {
		change(step.do)
		require.Equal(t, step.want, told(), step.what)
	}
}
