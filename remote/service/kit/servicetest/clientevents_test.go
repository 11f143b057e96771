package servicetest_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
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
		Period: period, Edition: node.Edition, Pages: remote.PageTotal{Told: true}}, node)
	f5 := must(c.GetTree(ctx)).Files[0]
	require.NotEmpty(t, f5.URL)
	require.NotEmpty(t, f5.SHA256)
	require.Equal(t, remote.Event{Kind: "file", ID: file, Name: "f", Bytes: 5, SizeKB: 1, SHA256: f5.SHA256, URL: f5.URL, Version: f5.Version}, byKind["file"])
	require.Equal(t, remote.Event{Kind: "directory", ID: dir, Gone: true}, byKind["directory"])
	require.True(t, must(c.Wait(ctx, "lost", time.Minute, "")).Lost)
}

// TestAClientIsNotToldOfItsOwnChanges checks that a client's changes, of every group, are told to others and not to it.
func TestAClientIsNotToldOfItsOwnChanges(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	c, other := connect(t, f.URL, f), connect(t, f.URL, f)
	require.NotEqual(t, c.Name(), other.Name())
	start := must(c.Wait(ctx, "", 0, c.Name())).Next
	top := root(t, c)
	dir := must(c.CreateDirectory(ctx, 0, "a"))
	file := must(c.UploadFile(ctx, dir, "f", bytesOf("12345"))).FileID
	paper := must(c.CreatePaper(ctx, top, "P", "p"))
	require.NoError(t, c.SetSetting(ctx, paper, "autoMaximize", "true"))
	require.NoError(t, c.RenamePaper(ctx, paper, "Q", 0))
	require.False(t, must(c.Wait(ctx, start, 0, c.Name())).Any())
	told := must(other.Wait(ctx, start, 0, other.Name()))
	var kinds []string
	for _, e := range told.Events {
		kinds = append(kinds, e.Kind)
	}
	require.Subset(t, kinds, []string{"directory", "file", "node", "setting"})
	require.NoError(t, other.DeleteFile(ctx, file))
	n := must(c.Wait(ctx, start, time.Minute, c.Name()))
	require.Equal(t, file, n.Events[0].ID)
}

// TestAChangeOfUnknownOutcomeIsTold checks that a client hears of its own change if it did not get the answer.
func TestAChangeOfUnknownOutcomeIsTold(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	p := servicetest.NewProxy(t, f.URL)
	p.TellChanges()
	c := connect(t, p.URL, f)
	start := must(c.Wait(ctx, "", 0, "")).Next
	dir := must(c.CreateDirectory(ctx, 0, "a"))
	require.False(t, must(c.Wait(ctx, start, 0, c.Name())).Any())
	name := c.Name()
	p.Cut(remote.DeleteDirectory, 1, 0)
	_ = c.DeleteDirectory(ctx, dir) // it may be repeated
	require.NotEqual(t, name, c.Name())
	require.Equal(t, dir, must(c.Wait(ctx, start, time.Minute, c.Name())).Events[0].ID)
}

// TestAHeldRequestThatIsCutSaysNothingOfTheService checks that a proxy that ends a held request, or refuses to hold
// one more, holds up no other call.
func TestAHeldRequestThatIsCutSaysNothingOfTheService(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	p := servicetest.NewProxy(t, f.URL)
	c := connect(t, p.URL, f)
	start := must(c.Wait(ctx, "", 0, ""))
	for _, status := range []int{0, http.StatusGatewayTimeout, http.StatusTooManyRequests} {
		p.Answer(remote.Wait, func(w http.ResponseWriter, _ *http.Request) bool {
			if status == 0 {
				panic(http.ErrAbortHandler)
			}
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(status)
			return true
		})
		p.Reset()
		_, err := c.Wait(ctx, start.Next, time.Minute, "")
		require.Error(t, err)
		require.Equal(t, 1, p.Count(remote.Wait), "it is not repeated")
		root(t, c)
		stats := c.Stats()
		require.Zero(t, stats.AwaySince)
		require.Zero(t, stats.Trouble)
		require.Zero(t, stats.Operations[remote.Wait.Name].Failures)
		p.Heal()
	}
}

// TestAWaitThatTellsNoMarkFails checks an answer after which the changes could not be told apart from those before.
func TestAWaitThatTellsNoMarkFails(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	p := servicetest.NewProxy(t, f.URL)
	c := connect(t, p.URL, f)
	start := must(c.Wait(ctx, "", 0, ""))
	p.Answer(remote.Wait, func(w http.ResponseWriter, _ *http.Request) bool {
		testrun.Must(w.Write([]byte(`<result><code>SUCCESS</code><message></message><data><events/></data></result>`)))(t)
		return true
	})
	_, err := c.Wait(ctx, start.Next, time.Minute, "")
	require.ErrorContains(t, err, "no mark")
}
