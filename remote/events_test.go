package remote_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
)

// TestAChangeEndsAWait asks the real service for a mark, and is told of a change that comes later.
func TestAChangeEndsAWait(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	c, other := connect(t, f.URL, f), connect(t, f.URL, f)
	start := must(c.Wait(ctx, "", 0, ""))
	require.NotEmpty(t, start.Next)
	offers, _ := c.Offers()
	require.True(t, offers.Events)
	same := must(c.Wait(ctx, start.Next, 0, ""))
	require.Equal(t, start, same)
	told := make(chan remote.News, 1)
	go func() {
		n, err := c.Wait(ctx, start.Next, time.Minute, "me")
		if err != nil {
			t.Error(err)
		}
		told <- n
	}()
	dir := must(other.CreateDirectory(ctx, 0, "a"))
	n := <-told
	version := n.Events[0].Version
	require.NotZero(t, version)
	require.Equal(t, []remote.Event{{Kind: "directory", ID: dir, Name: "a", Version: version}}, n.Events)

	top := root(t, c)
	period := remote.Period{From: time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2032, 1, 1, 0, 0, 0, 0, time.UTC)}
	paper := must(c.CreatePaper(ctx, top, "P & Q", "p"))
	require.NoError(t, c.SetPublicationPeriod(ctx, paper, period))
	file := must(c.UploadFile(ctx, 0, "f", bytesOf("12345"))).FileID
	require.NoError(t, c.DeleteDirectory(ctx, dir))
	n = must(c.Wait(ctx, n.Next, time.Minute, ""))
	byKind := map[string]remote.Event{}
	for _, e := range n.Events {
		byKind[e.Kind] = e
	}
	node := byKind["node"]
	require.Equal(t, remote.Event{Kind: "node", ID: paper, Parent: top.ID, Name: "P & Q", Version: node.Version, Paper: true, URLName: "p",
		Period: period, Edition: node.Edition}, node)
	require.Equal(t, remote.Event{Kind: "file", ID: file, Name: "f", Bytes: 5, Version: byKind["file"].Version}, byKind["file"])
	require.Equal(t, remote.Event{Kind: "directory", ID: dir, Gone: true}, byKind["directory"])
	require.True(t, must(c.Wait(ctx, "lost", time.Minute, "")).Lost)
}
