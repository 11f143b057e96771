package catalogue

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/snapshot"
	"paperfs/remote"
)

// TestTheTreeThatAnEarlierVersionSavedIsRead checks that it is shown, and then asked for as a whole.
func TestTheTreeThatAnEarlierVersionSavedIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tree")
	period := canonical(remote.Period{From: epoch, To: epoch.AddDate(1, 0, 0)})
	require.NoError(t, snapshot.Write(path, "paperfs catalogue 3\n", func(w *snapshot.Writer) {
		w.Text("/")
		w.Number(0)
		w.Text("its validator")
		w.Number(2)
		for _, n := range []int64{5, 0, int64(remote.CategoryNode)} {
			w.Number(n)
		}
		w.Text("Root")
		w.Text("//")
		w.Number(7)
		w.Number(0)
		for _, n := range []int64{6, 5, int64(remote.PaperNode)} {
			w.Number(n)
		}
		w.Text("Spring")
		w.Text("spring")
		w.Number(8)
		w.Number(1)
		w.Number(period.From.Unix())
		w.Number(period.To.Unix())
	}))
	s, err := load(path, origin{rootURL: "/"})
	require.NoError(t, err)
	n, ok := s.Node(6)
	require.True(t, ok)
	require.Equal(t, remote.Node{ID: 6, Parent: 5, Kind: remote.PaperNode, Name: "Spring", URL: "/spring/", Period: period}, n)
	require.EqualValues(t, 8, s.Seen(6).Unix())
	require.Empty(t, s.validator, "an answer without versions is no answer with them")

	n.Version, n.Edition = 1<<62, 3
	b := newBuilder(s, epoch)
	require.NoError(t, b.add(remote.Node{ID: 5, Kind: remote.CategoryNode, Name: "Root", URL: "/"}))
	require.NoError(t, b.add(n))
	base, err := b.finish()
	require.NoError(t, err)
	require.True(t, diff(s, newSnapshot(base, epoch)).Empty(), "a version that becomes known is no change")
	require.NoError(t, save(path, origin{rootURL: "/"}, newSnapshot(base, epoch)))
	s, err = load(path, origin{rootURL: "/"})
	require.NoError(t, err)
	again, _ := s.Node(6)
	require.Equal(t, n, again)
}
