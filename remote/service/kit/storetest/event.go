package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// marksAreOfOneLog checks that a mark of another log is lost though this one has a row of its number.
func marksAreOfOneLog(t *testing.T, open Open) {
	s := open(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	a := tenantNamed(t, s, "a")
	require.NoError(t, s.Write(t.Context(), a.ID, func(tx store.Writer) error {
		_, err := tx.AddDir(a.ID, store.Dir{Name: "d"})
		return err
	}))
	require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
		epoch, err := tx.Epoch()
		require.NoError(t, err)
		last, err := tx.LastEvent(a.ID)
		require.NoError(t, err)
		for of, want := range map[string]bool{epoch: true, epoch + "0": false, "": false} {
			has, err := tx.HasEvent(a.ID, of, last)
			require.NoError(t, err)
			require.Equal(t, want, has, "a mark of %q in %q", of, epoch)
		}
		return nil
	}))
}

// aMarkIsMovedFromWhereItIs checks that of two processes that tell the same events only one goes on.
func aMarkIsMovedFromWhereItIs(t *testing.T, open Open) {
	s := open(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	a := tenantNamed(t, s, "a")
	require.NoError(t, s.Write(t.Context(), a.ID, func(tx store.Writer) error {
		id, err := tx.AddWebhook(store.Webhook{Tenant: a.ID, URL: "https://a.example", Events: store.HookEvents}, time.Now())
		require.NoError(t, err)
		w, err := tx.Webhook(id)
		require.NoError(t, err)
		require.NoError(t, tx.MoveMark(w, w.Mark+2))
		for _, to := range []int64{1, 2, 3} {
			require.ErrorIs(t, tx.MoveMark(w, w.Mark+to), store.ErrNotFound, "from where it was, by %d", to)
		}
		now, err := tx.Webhook(id)
		require.Equal(t, w.Mark+2, now.Mark)
		return err
	}))
}

// linkedPapersHaveOtherEditions checks that a file that becomes another one for readers changes the edition of each
// paper that links to it, and of no other.
func linkedPapersHaveOtherEditions(t *testing.T, open Open) {
	s := open(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	a := tenantNamed(t, s, "a")
	var file int64
	var papers []int64 // the last one links to nothing
	require.NoError(t, s.Write(t.Context(), a.ID, func(tx store.Writer) (err error) {
		file, err = tx.AddFile(a.ID, store.File{Name: "f", Small: []byte("1")})
		require.NoError(t, err)
		for i := range 3 {
			name := fmt.Sprint("p", i)
			paper, err := tx.AddNode(store.Node{Tenant: a.ID, Parent: a.Root, Kind: remote.PaperNode, Name: name, URLName: name})
			require.NoError(t, err)
			require.NoError(t, tx.ReplacePages(paper, []store.Page{{Number: 1}}))
			if papers = append(papers, paper); i < 2 {
				require.NoError(t, tx.ReplaceLinks(paper, []store.Link{{Page: 1, LinkType: "file", FileID: fmt.Sprint(file)}}))
			}
		}
		return nil
	}))
	editions := func() (all []int64, version int64) {
		require.NoError(t, s.Read(t.Context(), func(tx store.Reader) (err error) {
			for _, paper := range papers {
				edition, err := tx.Edition(paper)
				require.NoError(t, err)
				all = append(all, edition)
			}
			version, err = tx.EditionVersion(a.ID)
			return err
		}))
		return all, version
	}
	for i, step := range []struct {
		name    string
		change  func(tx store.Writer) error
		changes bool
	}{
		{"renamed", func(tx store.Writer) error { _, err := tx.MoveFile(file, 0, "g"); return err }, true},
		{"content", func(tx store.Writer) error {
			_, err := tx.SetContent(file, store.File{Small: []byte("2")}, by(time.Now()))
			return err
		}, false},
		{"deleted", func(tx store.Writer) error { return tx.DeleteFile(file, 0, by(time.Now())) }, true},
	} {
		before, was := editions()
		require.NoError(t, s.Write(t.Context(), a.ID, step.change))
		after, now := editions()
		require.Equal(t, step.changes, was != now, "%s: whether readers' caches of the tenant are old", step.name)
		for p := range papers {
			require.Equal(t, step.changes && p < 2, before[p] != after[p], "%d, %s: the edition of paper %d", i, step.name, p)
		}
	}
}
