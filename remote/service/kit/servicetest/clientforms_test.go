package servicetest_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

var ctx = context.Background()

func connect(t *testing.T, base string, f *servicetest.Fixture, change ...func(*remote.Options)) *remote.Client {
	o := remote.Options{BaseURL: base, Username: f.Username, Password: f.Password}
	for _, c := range change {
		c(&o)
	}
	c := testrun.Must(remote.New(o))(t)
	t.Cleanup(c.Close)
	return c
}

func tree(t *testing.T, c *remote.Client, id int64) []remote.Node {
	var nodes []remote.Node
	require.NoError(t, c.GetAllPapers(ctx, id, func(n remote.Node) error { nodes = append(nodes, n); return nil }))
	return nodes
}

func root(t *testing.T, c *remote.Client) remote.Node {
	id, found := testrun.Must2(c.GetPaperIDFromUrl(ctx, "/"))(t)
	require.True(t, found)
	return tree(t, c, id)[0]
}

func code(t *testing.T, err error) remote.Code {
	t.Helper()
	var e *remote.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, remote.Refused, e.Kind, "%v", err)
	return e.Code
}

type bytesOf string

func (b bytesOf) Size() int64 { return int64(len(b)) }
func (b bytesOf) Open() (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(string(b))), nil
}

// TestLostRepliesOfChanges checks that a change whose reply is lost after it took effect
// succeeds, and happens once.
func TestLostRepliesOfChanges(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	proxy := servicetest.NewProxy(t, f.URL)
	c := connect(t, proxy.URL, f)
	cut := func(op *remote.Operation) { proxy.Cut(op, 1, 0) }
	r := root(t, c)

	cut(remote.CreateCategory)
	category := testrun.Must(c.CreateCategory(ctx, r, "New", "new"))(t)
	cut(remote.CreatePaper)
	paper := testrun.Must(c.CreatePaper(ctx, remote.Node{ID: category, URL: "/new/"}, "P", "p"))(t)
	cut(remote.MovePaper)
	require.NoError(t, c.MovePaper(ctx, paper, r.ID))
	cut(remote.ChangePaperUrl)
	require.NoError(t, c.ChangePaperUrl(ctx, paper, "q"))
	cut(remote.AddCustomField)
	require.NoError(t, c.AddCustomField(ctx, "Season", "string"))
	cut(remote.DeleteCustomField)
	require.NoError(t, c.DeleteCustomField(ctx, "Season"))
	cut(remote.CreateDirectory)
	dir := testrun.Must(c.CreateDirectory(ctx, 0, "logos"))(t)
	cut(remote.UploadFile)
	up := testrun.Must(c.UploadFile(ctx, dir, "a", bytesOf("content")))(t)
	cut(remote.DeleteFile)
	require.NoError(t, c.DeleteFile(ctx, up.FileID))
	cut(remote.DeleteDirectory)
	require.NoError(t, c.DeleteDirectory(ctx, dir))
	cut(remote.DeletePaper)
	require.NoError(t, c.DeletePaper(ctx, paper))

	for _, op := range []*remote.Operation{remote.CreateCategory, remote.CreatePaper, remote.AddCustomField, remote.DeleteCustomField, remote.CreateDirectory} {
		require.Equal(t, 1, proxy.Count(op), op.Name)
	}
	for _, op := range []*remote.Operation{remote.MovePaper, remote.ChangePaperUrl, remote.UploadFile, remote.DeleteFile, remote.DeletePaper} {
		require.Equal(t, 2, proxy.Count(op), op.Name)
	}
}

func TestRefusedCredentialsAndAbsentOperations(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t, func(o *service.Options) { o.NoExtended = true })
	c := connect(t, f.URL, f)
	_, err := c.GetTree(ctx)
	var e *remote.Error
	require.True(t, errors.As(err, &e))
	require.Equal(t, remote.NotOffered, e.Kind)

	stranger := connect(t, f.URL, f, func(o *remote.Options) { o.Password = "wrong" })
	_, _, err = stranger.GetPaperIDFromUrl(ctx, "/")
	require.Equal(t, remote.LoginSecurityViolation, code(t, err))
	_, err = stranger.UploadFile(ctx, 0, "a", bytesOf(strings.Repeat("x", 3<<20)))
	require.Equal(t, remote.LoginSecurityViolation, code(t, err))

	require.NoError(t, f.Admin().SetReadOnly(true))
	require.Equal(t, remote.ReadOnly, code(t, c.MovePaper(ctx, 1, 2)))
	_, err = c.UploadFile(ctx, 0, "a", bytesOf(strings.Repeat("x", 3<<20)))
	require.Equal(t, remote.ReadOnly, code(t, err))
}

func TestServicesLimits(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t, func(o *service.Options) { o.RPM, o.BodyLimit = 3, 1<<20 })
	c := connect(t, f.URL, f)
	_, err := c.UploadFile(ctx, 0, "a", bytesOf(strings.Repeat("x", 2<<20)))
	var e *remote.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, remote.TooLarge, e.Kind)
	for err == nil || e.Kind == remote.TooLarge {
		if _, _, err = c.GetPaperIDFromUrl(ctx, "/"); err != nil {
			require.ErrorAs(t, err, &e)
		}
	}
	require.Equal(t, remote.Throttled, e.Kind)
	_, _, err = c.GetPaperIDFromUrl(ctx, "/")
	require.ErrorAs(t, err, &e)
	require.Equal(t, remote.OverBudget, e.Kind, "the client knows Retry-After now")
}
