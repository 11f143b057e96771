package servicetest_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

func connectTo(t *testing.T, change ...func(*service.Options)) *remote.Client {
	f := servicetest.Start(t, change...)
	return connect(t, f.URL, f)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// judged makes a change under a condition, and returns the version after it.
func judged(t *testing.T, required remote.Version, change func(o *remote.Condition) error) (remote.Version, error) {
	t.Helper()
	o := &remote.Condition{If: required}
	err := change(o)
	return o.Now, err
}

// TestChangesUnderAConditionAreJudged changes things whose version the client knows, and then others.
func TestChangesUnderAConditionAreJudged(t *testing.T) {
	t.Parallel()
	c := connectTo(t)
	upload := func(name, text string) func(*remote.Condition) error {
		return func(o *remote.Condition) error {
			_, err := c.UploadFile(remote.Under(ctx, o), 0, name, bytesOf(text))
			return err
		}
	}
	for _, size := range []int{1, 1 << 20} { // within the form and after it
		name := strings.Repeat("a", min(size, 20))
		first := testrun.Must(judged(t, remote.NoFile, upload(name, strings.Repeat("1", size))))(t)
		_, err := judged(t, remote.NoFile, upload(name, strings.Repeat("2", size)))
		require.Equal(t, remote.VersionConflict, code(t, err))
		second := testrun.Must(judged(t, first, upload(name, strings.Repeat("2", size))))(t)
		_, err = judged(t, first, upload(name, strings.Repeat("3", size)))
		require.Equal(t, remote.VersionConflict, code(t, err))
		got := testrun.Must(c.GetTree(ctx))(t)
		file := got.Files[len(got.Files)-1]
		require.Equal(t, second, file.Version)
		remove := func(o *remote.Condition) error { return c.DeleteFile(remote.Under(ctx, o), file.ID) }
		_, err = judged(t, first, remove)
		require.Equal(t, remote.VersionConflict, code(t, err))
		require.Zero(t, testrun.Must(judged(t, second, remove))(t))
	}
	top := root(t, c)
	paper := testrun.Must(c.CreatePaper(ctx, top, "Spring", "spring"))(t)
	category := testrun.Must(c.CreateCategory(ctx, top, "Garden", "garden"))(t)
	old := tree(t, c, paper)[0].Version
	move := func(o *remote.Condition) error { return c.MovePaper(remote.Under(ctx, o), paper, category) }
	require.Equal(t, testrun.Must(judged(t, old, move))(t), tree(t, c, paper)[0].Version)
	_, err := judged(t, old, func(o *remote.Condition) error { return c.DeletePaper(remote.Under(ctx, o), paper) })
	require.Equal(t, remote.VersionConflict, code(t, err))
}

// TestTheClientRenamesAndMoves renames and moves what only paperfs's own service can rename, also when the answer is lost.
func TestTheClientRenamesAndMoves(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	proxy := servicetest.NewProxy(t, f.URL)
	c := connect(t, proxy.URL, f)
	for _, op := range []*remote.Operation{remote.MoveFile, remote.MoveDirectory, remote.RenamePaper} {
		proxy.Cut(op, 1, 0)
	}
	dir := must(c.CreateDirectory(ctx, 0, "a"))
	from := must(c.UploadFile(ctx, dir, "f", bytesOf("f"))).FileID
	over := must(c.UploadFile(ctx, 0, "g", bytesOf("g"))).FileID
	_, err := c.MoveFile(ctx, from, 0, "g", remote.NoFile)
	require.Equal(t, remote.Failure, code(t, err))
	require.Equal(t, over, must(c.MoveFile(ctx, from, 0, "g", 0)))
	require.Equal(t, over, must(c.MoveFile(ctx, over, dir, "h", remote.NoFile)))
	require.NoError(t, c.MoveDirectory(ctx, dir, 0, "b", false))
	got := must(c.GetTree(ctx))
	require.Equal(t, []string{"b", "h"}, []string{got.Dirs[0].Name, got.Files[0].Name})

	top := root(t, c)
	paper := must(c.CreatePaper(ctx, top, "Spring", "spring"))
	category := must(c.CreateCategory(ctx, top, "Garden", "garden"))
	require.NoError(t, c.RenamePaper(ctx, paper, "Summer", 0))
	require.NoError(t, c.RenamePaper(ctx, paper, "Autumn", category))
	n := tree(t, c, paper)[0]
	require.Equal(t, []string{"Autumn", "/garden/spring/"}, []string{n.Name, n.URL})
}

// TestAPDFIsSentAgainUnderItsCondition checks that a job of a colleague is not taken for that of a PDF whose answer was lost.
func TestAPDFIsSentAgainUnderItsCondition(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	proxy := servicetest.NewProxy(t, f.URL)
	c, colleague := connect(t, proxy.URL, f), connect(t, f.URL, f)
	paper := must(c.CreatePaper(ctx, root(t, c), "Spring", "spring"))
	first := remote.Condition{}
	testrun.Must(c.ProcessPDF(remote.Under(ctx, &first), paper, "", bytesOf("%PDF-1")))(t)
	require.NotZero(t, first.Now)
	for _, theirs := range []bool{false, true} {
		require.Eventually(t, func() bool { return len(must(c.GetProcessingPapers(ctx))) == 0 }, testrun.Patience(), time.Millisecond)
		proxy.Reset()
		var lost atomic.Bool
		proxy.Answer(remote.ProcessPDF, func(_ http.ResponseWriter, r *http.Request) bool {
			if lost.Swap(true) {
				return false
			}
			_, _ = io.Copy(io.Discard, r.Body)
			if theirs {
				must(colleague.ProcessPDF(ctx, paper, "", bytesOf("%PDF-theirs")))
			}
			panic(http.ErrAbortHandler)
		})
		_, err := c.ProcessPDF(remote.Under(ctx, &remote.Condition{If: tree(t, c, paper)[0].Edition}), paper, "", bytesOf("%PDF-2"))
		require.Zero(t, proxy.Count(remote.GetProcessingPapers))
		if theirs {
			require.Equal(t, remote.VersionConflict, code(t, err))
		} else {
			require.NoError(t, err)
		}
		proxy.Heal()
	}
}

// TestOffersAreThoseOfTheLastAnswer asks services with and without extended operations.
func TestOffersAreThoseOfTheLastAnswer(t *testing.T) {
	t.Parallel()
	for _, without := range []bool{false, true} {
		c := connectTo(t, func(o *service.Options) { o.NoExtended = without })
		_, known := c.Offers()
		require.False(t, known)
		root(t, c)
		offers, known := c.Offers()
		require.True(t, known)
		require.Equal(t, !without, offers.Versions)
		require.Equal(t, !without, offers.Moves)
		if without {
			_, err := c.MoveFile(ctx, 1, 0, "a", remote.NoFile)
			var e *remote.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, remote.NotOffered, e.Kind)
		}
	}
}
