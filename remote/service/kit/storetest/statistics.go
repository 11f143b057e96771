package storetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// twoPapers adds a tenant with two papers.
func twoPapers(t *testing.T, s store.Store) (tenant, one, other int64) {
	require.NoError(t, s.Write(context.Background(), store.AllTenants, func(tx store.Writer) (err error) {
		if tenant, err = tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"}); err != nil {
			return err
		}
		a, err := tx.TenantByName("a")
		if err != nil {
			return err
		}
		node := store.Node{Tenant: tenant, Parent: a.Root, Kind: remote.PaperNode, Name: "p", URLName: "p"}
		if one, err = tx.AddNode(node); err != nil {
			return err
		}
		node.Name, node.URLName = "q", "q"
		other, err = tx.AddNode(node)
		return err
	}))
	return tenant, one, other
}

// hitsAreAdded checks that hits are added to the existing counts, even those that another node
// wrote. Hits of a removed paper are ignored, and no version changes.
func hitsAreAdded(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	tenant, paper, gone := twoPapers(t, s)
	version := func() (all [2]int64) {
		require.NoError(t, s.Read(ctx, func(tx store.Reader) (err error) {
			if all[0], err = tx.TreeVersion(tenant); err != nil {
				return err
			}
			all[1], err = tx.Edition(paper)
			return err
		}))
		return all
	}
	days := func(paper int64, from, to store.Day) (found []store.DayHits) {
		require.NoError(t, s.Read(ctx, func(tx store.Reader) (err error) {
			found, err = tx.DayHits(paper, from, to)
			return err
		}))
		return found
	}
	add := func(hits ...store.Hits) error {
		return s.Write(ctx, tenant, func(tx store.Writer) error { return tx.AddHits(tenant, hits) })
	}
	before := version()
	day := store.DayOf(time.Date(2031, 5, 4, 23, 59, 59, 0, time.UTC))
	require.Equal(t, time.Date(2031, 5, 4, 0, 0, 0, 0, time.UTC), day.Start())
	require.NoError(t, add(store.Hits{Paper: paper, Day: day, Visits: 1, Counts: map[store.Hit]int64{{Page: 1}: 1, {Page: 2}: 3, {Page: 2, Target: "https://example.org/"}: 5}}, store.Hits{Paper: paper, Day: day + 2, Counts: map[store.Hit]int64{{Page: 1}: 1}},
		store.Hits{Paper: gone, Day: day, Visits: 9}))
	var nodes sync.WaitGroup
	for range 8 { // like several nodes
		nodes.Go(func() {
			err := add(store.Hits{Paper: paper, Day: day, Visits: 1, Counts: map[store.Hit]int64{{Page: 2}: 2, {Page: 7}: 1}})
			if err != nil {
				t.Error(err)
			}
		})
	}
	nodes.Wait()
	require.NoError(t, add())
	require.Equal(t, []store.DayHits{{Day: day, Views: 28, Visits: 9}, {Day: day + 2, Views: 1}}, days(paper, day-9, day+9))
	require.Equal(t, []store.DayHits{{Day: day + 2, Views: 1}}, days(paper, day+1, day+2))
	require.Empty(t, days(paper, day+1, day+1))
	require.Equal(t, before, version())

	require.Equal(t, []store.DayHits{{Day: day, Visits: 9}}, days(gone, day, day))
	require.NoError(t, s.Write(ctx, tenant, func(tx store.Writer) error { return tx.DeleteNode(gone) }))
	require.NoError(t, add(store.Hits{Paper: gone, Day: day, Visits: 1, Counts: map[store.Hit]int64{{Page: 1}: 1}}, store.Hits{Paper: paper, Day: day + 3, Visits: 1}))
	require.Empty(t, days(gone, day, day))
	require.Len(t, days(paper, day, day+3), 3)
}

// hitsHaveTheirPages checks that views are told by page: of each page that a paper has, and of those that it had. Clicks on
// links are told by page and target, and are no views.
func hitsHaveTheirPages(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	tenant, paper, other := twoPapers(t, s)
	pages := func(from, to store.Day) (found []store.PageHits) {
		require.NoError(t, s.Read(ctx, func(tx store.Reader) (err error) {
			found, err = tx.PageHits(paper, from, to)
			return err
		}))
		return found
	}
	require.Empty(t, pages(0, 99))
	a, b := store.Hit{Page: 2, Target: "https://example.org/ä"}, store.Hit{Page: 2, Target: "https://example.org/a"}
	require.NoError(t, s.Write(ctx, tenant, func(tx store.Writer) error {
		return tx.AddHits(tenant, []store.Hits{{Paper: paper, Day: 10, Counts: map[store.Hit]int64{{Page: 1}: 1, {Page: 2}: 19, {Page: 7}: 8, a: 2, b: 1}}, {Paper: paper, Day: 12, Counts: map[store.Hit]int64{{Page: 1}: 1, a: 3}},
			{Paper: other, Day: 10, Counts: map[store.Hit]int64{{Page: 1}: 9, a: 7}}})
	}))
	require.Equal(t, []store.PageHits{{Hit: store.Hit{Page: 1}, Count: 2}, {Hit: store.Hit{Page: 2}, Count: 19}, {Hit: store.Hit{Page: 7}, Count: 8}, {Hit: b, Count: 1}, {Hit: a, Count: 5}}, pages(10, 12))
	require.Equal(t, []store.PageHits{{Hit: store.Hit{Page: 1}, Count: 1}, {Hit: a, Count: 3}}, pages(11, 12))
	require.NoError(t, s.Write(ctx, tenant, func(tx store.Writer) error {
		return tx.ReplacePages(paper, []store.Page{{Number: 1}, {Number: 2}, {Number: 3}})
	}))
	require.Equal(t, []store.PageHits{{Hit: store.Hit{Page: 1}, Count: 1}, {Hit: store.Hit{Page: 2}, Count: 0}, {Hit: store.Hit{Page: 3}, Count: 0}, {Hit: a, Count: 3}}, pages(11, 12))
	require.Equal(t, []store.PageHits{{Hit: store.Hit{Page: 1}, Count: 2}, {Hit: store.Hit{Page: 2}, Count: 19}, {Hit: store.Hit{Page: 3}, Count: 0}, {Hit: store.Hit{Page: 7}, Count: 8}, {Hit: b, Count: 1}, {Hit: a, Count: 5}}, pages(10, 12))
}

// coversAreOfFirstPages checks that covers are the first pages of the papers that have pages.
func coversAreOfFirstPages(t *testing.T, open Open) {
	s := open(t)
	ctx := context.Background()
	tenant, paper, empty := twoPapers(t, s)
	image := store.Image{Type: "Normal", SizeKB: 3, URL: "x", Start: 5, Bytes: 7, Width: 11, Height: 13}
	thumb := store.Image{Type: "Thumb", Start: 12, Bytes: 2, Width: 3, Height: 4}
	require.NoError(t, s.Write(ctx, tenant, func(tx store.Writer) error {
		return tx.ReplacePages(paper, []store.Page{{Number: 1, Text: "one", Images: []store.Image{image, thumb}}, {Number: 2, Text: "two"}})
	}))
	require.NoError(t, s.Read(ctx, func(tx store.Reader) error {
		covers, err := tx.Covers([]int64{empty, paper})
		require.NoError(t, err)
		require.Len(t, covers, 1)
		require.Equal(t, []store.Image{image, thumb}, covers[paper].Images)
		require.Empty(t, covers[paper].Text)
		require.Equal(t, 1, covers[paper].Number)
		none, err := tx.Covers(nil)
		require.Empty(t, none)
		return err
	}))
}
